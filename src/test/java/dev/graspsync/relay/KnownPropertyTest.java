package dev.graspsync.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.SaveResult;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.H2EventStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the store tells the policy, against a list that is searched from end to end: random threads in random order. */
class KnownPropertyTest {

    private static final int[] KINDS = {1, 7, 1111, 1617, 1621, 1630, 30023, 30617, 30618};
    private static final String[] NAMES = {"a", "A", "e", "E", "q"};

    @TempDir
    Path folder;

    private final List<PublicKey> people = List.of(SampleEvent.ALICE, SampleEvent.BOB, SampleEvent.CAROL);
    private int number;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void thePolicyDecidesTheSameOverBoth(long seed) {
        Random random = new Random(seed);
        AcceptancePolicy policy = new AcceptancePolicy(AcceptanceMode.HOSTED, "relay.example");
        InMemoryKnown expected = new InMemoryKnown();
        List<Event> made = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            made.add(event(random, made));
        }
        // What waits is offered once more in the end; it also makes the order a random one.
        List<Event> offered = new ArrayList<>(made);
        Collections.shuffle(offered, random);
        offered.addAll(made);
        int accepted = 0;
        try (H2EventStore store = H2EventStore.open(folder, 4)) {
            int next = 0;
            while (next < offered.size()) {
                try (WriteBatch batch = store.begin()) {
                    for (int left = random.nextInt(40); left >= 0 && next < offered.size(); left--) {
                        Event event = offered.get(next++);
                        Verdict verdict = policy.decide(event, new StoredKnown(batch));
                        assertThat(verdict)
                                .as("seed %d, event %d: %s", seed, next, event)
                                .isEqualTo(policy.decide(event, expected));
                        if (verdict instanceof Verdict.Accept(Verdict.Reason reason)
                                && batch.save(encoded(event), reason.ordinal(), Provenance.DIRECT, 0)
                                        instanceof SaveResult.Saved) {
                            expected.with(event, reason);
                            accepted++;
                        }
                    }
                    batch.commit();
                }
            }
        }
        assertThat(accepted).isGreaterThan(20);
    }

    /** Identifiers of addressable events are never the same twice: what is superseded is the store's own affair. */
    private Event event(Random random, List<Event> made) {
        int kind = KINDS[random.nextInt(KINDS.length)];
        PublicKey author = people.get(random.nextInt(people.size()));
        List<Tag> tags = new ArrayList<>();
        if (kind >= 30_000) {
            boolean taken;
            Tag identifier;
            do {
                identifier = Tag.of("d", "repo" + random.nextInt(200));
                Tag wanted = identifier;
                taken = made.stream()
                        .anyMatch(other -> other.kind() == kind
                                && other.pubkey().equals(author)
                                && other.tags().contains(wanted));
            } while (taken);
            tags.add(identifier);
        }
        if (kind == 30617) {
            String host = random.nextInt(3) == 0 ? "elsewhere.example" : "relay.example";
            tags.add(Tag.of("relays", "wss://" + host));
            tags.add(Tag.of("clone", "https://" + host + "/npub1somebody/repo.git"));
            tags.add(Tag.of("maintainers", people.get(random.nextInt(3)).hex()));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            tags.add(Tag.of(NAMES[random.nextInt(NAMES.length)], target(random, made)));
        }
        EventId id = new EventId(random.nextLong(), random.nextLong(), 0, number++);
        return new Event(id, author, 1_000 + number, kind, tags, "", Signature.ofBytes(new byte[64]));
    }

    private String target(Random random, List<Event> made) {
        if (!made.isEmpty() && random.nextInt(4) > 0) {
            Event other = made.get(random.nextInt(made.size()));
            if (other.kind() < 30_000) {
                return other.id().hex();
            }
            return other.kind() + ":" + other.pubkey().hex() + ":"
                    + other.firstValue("d").orElseThrow();
        }
        return (random.nextBoolean() ? "30617:" : "30618:")
                + people.get(random.nextInt(3)).hex() + ":repo" + random.nextInt(200);
    }

    private static EncodedEvent encoded(Event event) {
        return new EncodedEvent(event, ("{\"id\":\"" + event.id().hex() + "\"}").getBytes(UTF_8));
    }
}
