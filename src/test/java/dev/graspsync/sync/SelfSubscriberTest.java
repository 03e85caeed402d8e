package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Tag;
import dev.graspsync.sync.core.SyncInput;
import io.vertx.core.http.ServerWebSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Rules 3 and 4: the own relay is read to its end once, then live, in windows that do not reset. */
class SelfSubscriberTest extends ConnectionFixture {

    private final List<SyncInput> told = new CopyOnWriteArrayList<>();
    private final Set<EventId> stored = new HashSet<>();
    private volatile CountDownLatch answers = new CountDownLatch(0);
    private volatile Duration later = Duration.ZERO;
    private final SelfEvents.Stored knowing = new SelfEvents.Stored() {
        @Override
        public boolean has(EventId id) {
            try {
                answers.await();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
            return stored.contains(id);
        }

        @Override
        public boolean had(EventId id) {
            return !stored.contains(id);
        }
    };

    private SelfSubscriber subscriber(LoopbackRelay relay, Duration window) {
        SelfSubscriber subscriber = new SelfSubscriber(
                relay.url(),
                connector(LIMITS, InetAddress::getAllByName),
                vertx,
                () -> Instant.now().plus(later),
                window,
                new SelfEvents(url -> url.contains("own.example"), knowing),
                (input, done) -> {
                    told.add(input);
                    done.run();
                });
        open.addFirst(subscriber::stop);
        subscriber.start();
        return subscriber;
    }

    private LoopbackRelay relay(int cap) throws Exception {
        LoopbackRelay relay = new LoopbackRelay(vertx, cap);
        open.add(relay);
        return relay;
    }

    private static Event announcement(String identifier, String... relays) {
        List<String> tag = new ArrayList<>(List.of("relays"));
        tag.addAll(List.of(relays));
        return TestKeys.ALICE.sign(30617, 1_000, List.of(Tag.of("d", identifier), new Tag(tag)), "");
    }

    private static Event issue(int number, String identifier) {
        return TestKeys.BOB.sign(
                1621,
                2_000 + number,
                List.of(Tag.of("a", "30617:" + TestKeys.ALICE.pubkey().hex() + ":" + identifier)),
                "issue " + number);
    }

    private List<SyncInput.SelfBatch> batches() {
        return told.stream()
                .filter(SyncInput.SelfBatch.class::isInstance)
                .map(SyncInput.SelfBatch.class::cast)
                .toList();
    }

    private long roots() {
        return batches().stream().mapToLong(batch -> batch.roots().size()).sum();
    }

    private boolean isDrained() {
        return told.stream().anyMatch(SyncInput.SelfDrained.class::isInstance);
    }

    @Test
    void rule4TheOwnRelayIsReadToItsEndAlthoughItCapsItsAnswers() throws Exception {
        LoopbackRelay relay = relay(50);
        relay.hold(List.of(announcement("repo", "wss://own.example", "wss://other.example", "no url")));
        List<Event> issues = new ArrayList<>();
        for (int i = 0; i < 333; i++) {
            issues.add(issue(i, "repo"));
        }
        relay.hold(issues);

        subscriber(relay, Duration.ofMillis(50));

        await().until(this::isDrained);
        assertThat(told.getFirst()).isInstanceOf(SyncInput.SelfDrainBegan.class);
        assertThat(told.getLast()).isInstanceOf(SyncInput.SelfDrained.class);
        assertThat(batches().stream().flatMap(batch -> batch.roots().stream()).map(SyncInput.Rooted::id))
                .containsAll(issues.stream().map(Event::id).toList());
        assertThat(batches().stream().flatMap(batch -> batch.announcements().stream()))
                .singleElement()
                .satisfies(announced -> assertThat(announced.relays())
                        .extracting(Object::toString)
                        .containsExactly("wss://other.example"));
    }

    @Test
    void rule4LiveEventsOfAnyAgeAreHeard() throws Exception {
        LoopbackRelay relay = relay(50);
        subscriber(relay, Duration.ofMillis(10));
        await().until(this::isDrained);

        relay.add(issue(1, "repo"));

        await().until(() -> roots() == 1);
    }

    @Test
    void rule4AfterAReconnectEverythingIsReadAgainBecauseWhatWasSyncedMeanwhileMayBeOld() throws Exception {
        LoopbackRelay relay = relay(50);
        subscriber(relay, Duration.ofMillis(10));
        await().until(this::isDrained);
        relay.clients().forEach(ServerWebSocket::close);
        relay.hold(List.of(issue(1, "repo")));

        await().until(() -> roots() == 1);
        await().until(() ->
                told.stream().filter(SyncInput.SelfDrained.class::isInstance).count() == 2);
    }

    @Test
    void rule3AWindowBeginsWithItsFirstEventAndDoesNotReset() throws Exception {
        LoopbackRelay relay = relay(50);
        subscriber(relay, Duration.ofMillis(400));
        await().until(this::isDrained);
        int number = 0;

        // Events keep coming, each well within the window of the one before: were it reset, no batch would ever leave.
        while (batches().isEmpty() && number < 400) {
            relay.add(issue(number++, "repo"));
            int before = number;
            await().pollInterval(Duration.ofMillis(20)).until(() -> before <= 400);
        }

        assertThat(batches()).isNotEmpty();
        assertThat(batches().getFirst().roots().size()).isGreaterThan(1).isLessThan(400);
    }

    @Test
    void rule3AWindowEndsBeforeItsTimeWithTheBurstThatFilledIt() throws Exception {
        LoopbackRelay relay = relay(50);
        subscriber(relay, Duration.ofHours(1));
        await().until(this::isDrained);

        for (int i = 0; i < 612; i++) {
            relay.add(issue(i, "repo"));
        }

        await().until(() -> roots() == 612);
        assertThat(batches().size()).isGreaterThan(1);
    }

    @Test
    void aDeletionRemovesWhatItsAuthorWrote() throws Exception {
        LoopbackRelay relay = relay(50);
        subscriber(relay, Duration.ofMillis(10));
        await().until(this::isDrained);
        Event issue = issue(1, "repo");
        Event kept = issue(2, "repo");
        stored.add(kept.id());

        relay.add(TestKeys.BOB.sign(
                5,
                3_000,
                List.of(Tag.of("e", issue.id().hex()), Tag.of("e", kept.id().hex())),
                ""));

        await().until(() -> !batches().isEmpty());
        assertThat(batches().getFirst().removals()).containsExactly(new SyncInput.Removed.Event(issue.id()));
    }

    @Test
    void rule4TheEndOfOneReadingIsNotTakenForThatOfTheNext() throws Exception {
        LoopbackRelay relay = relay(50);
        relay.hold(List.of(TestKeys.BOB.sign(1621, 2_000, List.of(Tag.of("e", "ab".repeat(32))), "")));
        answers = new CountDownLatch(1);
        subscriber(relay, Duration.ofMillis(10));
        // The last page asks for what is older than everything.
        await().until(() -> relay.requests.stream()
                .anyMatch(req -> req.filters().getFirst().until().equals(OptionalLong.of(1_999))));
        relay.clients().forEach(ServerWebSocket::close);
        await().until(() -> readings() >= 2);

        answers.countDown();

        await().until(() -> roots() >= 2 && told.getLast() instanceof SyncInput.SelfDrained);
        assertThat(told.stream().filter(SyncInput.SelfDrained.class::isInstance).count())
                .isLessThan(readings());
    }

    /** Which root events were of whoever vanished, only reading tells. */
    @Test
    void rule1AfterARequestToVanishTheOwnRelayIsReadAgainWithinAnHour() throws Exception {
        LoopbackRelay relay = relay(50);
        SelfSubscriber subscriber = subscriber(relay, Duration.ofMillis(10));
        await().until(this::isDrained);

        relay.add(TestKeys.BOB.sign(62, 3_000, List.of(Tag.of("relay", "ALL_RELAYS")), ""));
        relay.add(issue(1, "repo"));
        await().until(() -> roots() == 1);
        later = Duration.ofMinutes(61);
        subscriber.drainAgainIfDue();

        await().until(() -> readings() == 2);
    }

    private long readings() {
        return told.stream().filter(SyncInput.SelfDrainBegan.class::isInstance).count();
    }
}
