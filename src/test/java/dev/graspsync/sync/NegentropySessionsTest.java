package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.sync.core.ReconcileFailure;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.wire.ClientMessageWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Rules 18 to 20 on one connection: what relays answer to comparisons, and what the engine hears of it. */
class NegentropySessionsTest extends NegentropySessionsFixture {

    @Test
    void bothDifferencesAreFoundAndTheRoomIsGivenBack() {
        Event[] all = events(40);
        save(Arrays.copyOfRange(all, 1, 40));
        connect(honest(Arrays.copyOfRange(all, 0, 39)));

        compare(ISSUES);

        SyncInput.Reconciled found = awaitTold(SyncInput.Reconciled.class);
        assertThat(found.need()).containsExactly(all[0].id());
        assertThat(found.have()).isEqualTo(1);
        assertThat(lacked).containsExactly(all[39].id());
        assertThat(room.taken()).isZero();
        await().until(this::saidGoodbye);
    }

    @Test
    void bytesAreCountedAsOnTheWire() {
        Event[] all = events(3);
        save(all);
        Function<NegentropyMessage, List<String>> relay = honest(all);
        AtomicInteger answered = new AtomicInteger();
        connect(asked -> {
            List<String> answers = relay.apply(asked);
            answers.forEach(answer -> answered.addAndGet(answer.length()));
            return answers;
        });

        compare(ISSUES);
        awaitTold(SyncInput.Reconciled.class);
        await().until(this::saidGoodbye);

        assertThat(counters.receivedBytes()).isEqualTo(answered.get());
        assertThat(counters.sentBytes())
                .isEqualTo(heard.stream()
                        .mapToInt(said -> ClientMessageWriter.write(said).length)
                        .sum());
        assertThat(counters.roundCount()).isEqualTo(1);
    }

    @Test
    void rule20ACapTellsWhereToSplitWhatIsOurs() {
        save(events(10));
        connect(asked -> List.of("[\"NEG-ERR\",\"gs-n1\",\"blocked: too many query results\",5]"));

        compare(ISSUES);

        assertThat(awaitFailure())
                .isEqualTo(new ReconcileFailure.Refused(
                        "blocked: too many query results", OptionalLong.of(5), OptionalLong.of(1_004)));
        assertThat(room.taken()).isZero();
    }

    @Test
    void rule20ClosedIsARefusalToo() {
        save(events(10));
        connect(asked -> List.of("[\"CLOSED\",\"gs-n1\",\"error: not now\"]"));

        compare(ISSUES);

        assertThat(awaitFailure()).isInstanceOf(ReconcileFailure.Refused.class);
        assertThat(saidGoodbye()).isFalse();
    }

    @Test
    void aFloodOfRefusalsIsToldOnce() {
        save(events(10));
        String refusal = "[\"NEG-ERR\",\"gs-n1\",\"error: no\"]";
        connect(asked -> Collections.nCopies(1_000, refusal));

        compare(ISSUES);
        await().until(() -> answers.get() == 1_000);

        assertThat(told).filteredOn(SyncInput.ReconcileFailed.class::isInstance).hasSize(1);
        assertThat(room.taken()).isZero();
    }

    @Test
    void whatIsNoHexIsNoMessageOfTheProtocol() {
        save(events(10));
        connect(asked -> List.of(message("no hex")));

        compare(ISSUES);

        assertThat(awaitFailure()).isInstanceOf(ReconcileFailure.Broken.class);
        await().until(this::saidGoodbye);
    }

    @Test
    void anAnswerToNothingThatWasAskedEndsIt() throws Exception {
        Event[] all = events(200);
        save(all);
        CountDownLatch busy = new CountDownLatch(1);
        Function<NegentropyMessage, List<String>> relay = honest(events(100));
        connect(asked -> {
            // Nobody here can look at the first answer before the second has come.
            for (int i = 0; i < 2; i++) {
                sets().execute(() -> await().atMost(Duration.ofSeconds(20)).until(() -> busy.getCount() == 0));
            }
            String answer = relay.apply(asked).getFirst();
            return List.of(answer, answer);
        });

        compare(ISSUES);

        assertThat(awaitFailure()).isEqualTo(new ReconcileFailure.Broken("it answers what was not asked"));
        busy.countDown();
        await().until(() -> room.taken() == 0);
    }

    @Test
    void itDoesNotGoOnForHours() {
        save(events(900));
        Function<NegentropyMessage, List<String>> relay = honest(events(880));
        connect(asked -> {
            pass(Duration.ofMinutes(11));
            return relay.apply(asked);
        });

        compare(ISSUES);

        assertThat(awaitFailure()).isInstanceOf(ReconcileFailure.Broken.class);
        assertThat(room.taken()).isZero();
    }

    @Test
    void moreThanFitsIsSaidWithoutAskingTheRelay() {
        save(events(1_001));
        connect(asked -> List.of());

        compare(ISSUES);

        assertThat(awaitFailure()).isInstanceOf(ReconcileFailure.TooMany.class);
        assertThat(heard).isEmpty();
        assertThat(room.taken()).isZero();
    }

    @Test
    void whereThereIsNoRoomNothingIsAsked() {
        save(events(10));
        connect(asked -> List.of());
        assertThat(room.take(2 * PIECE)).isTrue();

        compare(ISSUES);

        assertThat(awaitFailure()).isInstanceOf(ReconcileFailure.Failed.class);
        assertThat(heard).isEmpty();
    }

    @Test
    void aLostConnectionGivesTheRoomBack() {
        save(events(10));
        connect(asked -> List.of());
        compare(ISSUES);
        awaitTold(SyncInput.ReconcileBegan.class);
        assertThat(room.taken()).isEqualTo(PIECE);
        assertThat(sessions().areWaiting()).isTrue();

        connection().onLoop(sessions()::clear);

        await().until(() -> room.taken() == 0);
        assertThat(sessions().areWaiting()).isFalse();
    }
}
