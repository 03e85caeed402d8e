package dev.graspsync.store.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a query costs where one condition is rare and the others match nearly everything. */
class PlanCostTest {

    private static final int EVENTS = 100_000;
    private static final int RARE = 7;
    private static final StoreOptions OPTIONS = StoreOptions.usual(1).withScheme(SmallDisk.SCHEME);
    private static final PublicKey AUTHOR = new PublicKey(1, 2, 3, 4);

    @TempDir
    Path folder;

    @Test
    void aRareTagIsWalkedAndNotTheCommonKindOrAuthor() {
        SmallDisk.register();
        fill();
        Filter rare = Filter.ALL.withTag("t", Set.of("rare"));
        try (H2EventStore store = H2EventStore.open(folder, OPTIONS)) {
            for (Filter filter : List.of(
                    rare.withKinds(1621),
                    rare.withAuthors(Set.of(AUTHOR)),
                    rare.withKinds(1621).withAuthors(Set.of(AUTHOR)).withTag("a", Set.of("common")))) {
                long before = SmallDisk.bytesRead();
                assertThat(count(store, filter)).isEqualTo(RARE);
                assertThat(SmallDisk.bytesRead() - before).as("%s", filter).isLessThan(2_000_000);
            }
            long before = SmallDisk.bytesRead();
            assertThat(count(store, Filter.ALL.withKinds(1621))).isEqualTo(EVENTS);
            assertThat(SmallDisk.bytesRead() - before).as("everything").isGreaterThan(10_000_000);
        }
    }

    private static int count(H2EventStore store, Filter filter) {
        int count = 0;
        try (EventCursor cursor = store.query(List.of(filter), Integer.MAX_VALUE, 0)) {
            while (cursor.next() != null) {
                count++;
            }
        }
        return count;
    }

    private void fill() {
        Random random = new Random(1);
        byte[] json = "x".repeat(200).getBytes(UTF_8);
        try (H2EventStore store = H2EventStore.open(folder, OPTIONS)) {
            for (int from = 0; from < EVENTS; from += 5_000) {
                try (WriteBatch batch = store.begin()) {
                    for (int i = from; i < from + 5_000; i++) {
                        EventId id = new EventId(random.nextLong(), random.nextLong(), 0, i);
                        String topic = i % (EVENTS / RARE + 1) == 0 ? "rare" : "usual";
                        Event event = new Event(
                                id,
                                AUTHOR,
                                1_000 + i,
                                1621,
                                List.of(Tag.of("a", "common"), Tag.of("t", topic)),
                                "",
                                Signature.ofBytes(new byte[64]));
                        batch.save(new EncodedEvent(event, json), 1, Provenance.DIRECT, 0);
                    }
                    batch.commit();
                }
            }
        }
    }
}
