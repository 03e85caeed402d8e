package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.frame;
import static dev.graspsync.sync.RawRelay.readFrame;
import static dev.graspsync.sync.RawRelay.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Tag;
import dev.graspsync.wire.ClientMessageReader;
import dev.graspsync.wire.ReadResult;
import dev.graspsync.wire.RelayMessageWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rule 23: publishing what a relay lacks, to relays that answer as they like. */
class RelayPushTest extends ComparingFixture {

    private static final int EVENTS = 50;
    /** As many as are published at once. */
    private static final int AT_ONCE = 16;

    private static final RelayPush.Waits PATIENT = new RelayPush.Waits(Duration.ofMinutes(1), Duration.ofMillis(200));

    private final List<EventId> published = new CopyOnWriteArrayList<>();
    private final NegentropyCounters counters = new NegentropyCounters();
    private final AtomicInteger authenticated = new AtomicInteger();
    private NegentropySets sets;

    @BeforeEach
    void setsWithRoomForAThousandToBePushed() {
        sets = sets(new ComparingRoom(4_000, 4_000));
    }

    private ComparingRoom room() {
        return sets.pushRoom();
    }

    /** @param answer to the event of this number: what OK says, or nothing where it is absent */
    private RelayPush push(RelayPush.Waits waits, List<EventId> lacked, IntFunction<Optional<String>> answer) {
        RawRelay relay = raw((client, request) -> {
            write(client, accept(request));
            while (true) {
                byte[] bytes = readFrame(client);
                if (ClientMessageReader.read(bytes, 0, bytes.length)
                        instanceof ReadResult.Message<ClientMessage>(ClientMessage.Event(Event event))) {
                    published.add(event.id());
                    Optional<String> text = answer.apply(published.size());
                    if (text.isPresent()) {
                        RelayMessage ok =
                                new RelayMessage.Ok(event.id(), text.get().isEmpty(), text.get());
                        write(client, frame(0x81, RelayMessageWriter.write(ok)));
                    }
                }
            }
        });
        RelayConnection connection = connect(relay.url());
        open.addFirst(connection::close);
        RelayPush push = new RelayPush(
                relay.url(), connection, sets, counters, InstantSource.system(), authenticated::incrementAndGet, waits);
        listener.onMessage = message -> push.answered((RelayMessage.Ok) message);
        listener.awaitOpened();
        connection.onLoop(() -> push.lacked(lacked));
        return push;
    }

    private List<EventId> stored() {
        return save(events(EVENTS));
    }

    @Test
    void whatIsAnsweredIsCounted() {
        push(PATIENT, stored(), number -> Optional.of(""));

        await().until(() -> counters.pushedCount() == EVENTS);
        await().until(() -> room().taken() == 0);
    }

    @Test
    void aMissingOkHoldsUpNothingElse() {
        RelayPush.Waits impatient = new RelayPush.Waits(Duration.ofSeconds(1), Duration.ofMinutes(1));
        RelayPush push = push(impatient, stored(), number -> number % 3 == 0 ? Optional.empty() : Optional.of(""));

        await().atMost(Duration.ofSeconds(30)).until(() -> published.size() == EVENTS);
        assertThat(push.hasEnded()).isFalse();
        await().until(() -> room().taken() == 0);
        assertThat(counters.pushedCount()).isPositive();
    }

    @Test
    void aRelayThatNeverSaysOkIsPublishedLittleMoreThanFitsAtOnce() {
        RelayPush.Waits impatient = new RelayPush.Waits(Duration.ofMillis(300), Duration.ofMinutes(1));
        RelayPush push = push(impatient, stored(), number -> Optional.empty());

        await().until(push::hasEnded);

        assertThat(published).hasSizeLessThan(2 * AT_ONCE);
        assertThat(counters.pushedCount()).isZero();
        assertThat(room().taken()).isZero();
    }

    @Test
    void whoTakesNothingIsPublishedNothingMore() {
        RelayPush push = push(PATIENT, stored(), number -> Optional.of("restricted: not on the list"));

        await().until(push::hasEnded);

        assertThat(published.size()).isLessThanOrEqualTo(AT_ONCE);
        assertThat(room().taken()).isZero();
    }

    @Test
    void aRateLimitIsWaitedForAndNothingIsLost() {
        push(PATIENT, stored(), number -> Optional.of(number <= 20 ? "rate-limited: slow down" : ""));

        await().until(() -> counters.pushedCount() == EVENTS);
        assertThat(new HashSet<>(published)).hasSize(EVENTS);
        await().until(() -> room().taken() == 0);
    }

    @Test
    void rule7WhoWantsToKnowWhoPublishesIsToldAndPublishedAllOfIt() {
        RelayPush push =
                push(PATIENT, stored(), number -> Optional.of(authenticated.get() < 2 ? "auth-required: who?" : ""));
        await().until(() -> authenticated.get() == 1);
        await().until(() -> published.size() == AT_ONCE);

        authenticated.incrementAndGet();
        tell(push, true);

        await().until(() -> counters.pushedCount() == EVENTS);
        assertThat(published).hasSize(EVENTS + AT_ONCE);
    }

    @Test
    void rule7WhoRefusesWhoPublishesIsPublishedNothingMore() {
        RelayPush push = push(PATIENT, stored(), number -> Optional.of("auth-required: who?"));
        await().until(() -> authenticated.get() == 1);

        tell(push, false);

        await().until(push::hasEnded);
        assertThat(published).hasSizeLessThanOrEqualTo(AT_ONCE);
    }

    private void tell(RelayPush push, boolean accepted) {
        vertx.runOnContext(ignored -> push.authenticated(accepted));
    }

    @Test
    void protectedEventsAndThoseThatExpiredAreNotPublished() {
        Event one = events(1)[0];
        Event theAuthorsAlone = TestKeys.ALICE.sign(1621, 1_000, List.of(Tag.of("-")), "protected");
        Event expired = TestKeys.ALICE.sign(1621, 1_000, List.of(Tag.of("expiration", "2000")), "expired");
        List<EventId> lacked = save(theAuthorsAlone, expired, one);

        push(PATIENT, lacked, number -> Optional.of(""));

        await().until(() -> room().taken() == 0);
        assertThat(published).containsExactly(one.id());
    }

    @Test
    void whatThereIsNoRoomForWaitsForTheNextComparison() {
        assertThat(room().take(980)).isTrue();

        push(PATIENT, stored(), number -> Optional.of(""));

        await().until(() -> counters.pushedCount() == 20);
        await().until(() -> room().taken() == 980);
        assertThat(published).hasSize(20);
    }
}
