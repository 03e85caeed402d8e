package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.sync.Unanswered.Sent;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits for its OK has an end, whatever the relay does. */
class UnansweredTest {

    private final Unanswered unanswered = new Unanswered();
    private Instant now = Instant.ofEpochSecond(1_000_000);

    private Sent sent(long seq) {
        Sent sent = new Sent(seq, TestKeys.ALICE.sign(1, seq, List.of(), "event " + seq), 100);
        unanswered.sent(sent, now);
        return sent;
    }

    private void silence() {
        now = now.plus(Unanswered.ANSWER);
        unanswered.expire(now);
    }

    @Test
    void whatIsNotAnsweredFiveTimesIsHopeless() {
        Sent silent = sent(1);
        for (int i = 1; i < 5; i++) {
            silence();
            assertThat(unanswered.hopeless()).isEmpty();
            assertThat(unanswered.due(now)).containsExactly(silent);
            unanswered.sent(silent, now);
        }
        silence();

        assertThat(unanswered.hopeless()).containsExactly(silent);
        assertThat(silent.why()).isEqualTo("no OK came");
    }

    @Test
    void anErrorIsWaitedAfterAndFiveAreHopeless() {
        Sent failing = sent(1);
        for (int i = 0; i < 5; i++) {
            assertThat(unanswered.hopeless()).isEmpty();
            unanswered.failed(failing, now, "error: no");
            assertThat(unanswered.due(now)).isEmpty();
            now = now.plus(Unanswered.ANSWER);
            assertThat(unanswered.due(now)).containsExactly(failing);
        }

        assertThat(unanswered.hopeless()).containsExactly(failing);
        unanswered.done(failing);
        assertThat(unanswered.answeredUpTo(9)).isEqualTo(9);
    }

    @Test
    void afterADropOneIsSentAtATime() {
        Sent first = sent(1);
        Sent second = sent(2);
        unanswered.dropped();

        assertThat(unanswered.room()).isZero();
        assertThat(unanswered.due(now)).containsExactly(first);
        unanswered.sent(first, now);
        assertThat(unanswered.due(now)).as("one is on the wire").isEmpty();
        unanswered.done(first);
        assertThat(unanswered.due(now)).containsExactly(second);
        unanswered.sent(second, now);
        unanswered.done(second);
        assertThat(unanswered.room()).isPositive();
    }

    @Test
    void whoIsAloneOnTheWireAtThreeDropsIsHopelessAndTheOthersGoBeforeIt() {
        Sent bomb = sent(1);
        Sent other = sent(2);
        unanswered.dropped();
        unanswered.sent(bomb, now);
        unanswered.dropped();

        assertThat(unanswered.due(now)).containsExactly(other);
        unanswered.sent(other, now);
        unanswered.done(other);
        for (int i = 0; i < 2; i++) {
            assertThat(unanswered.hopeless()).isEmpty();
            unanswered.sent(bomb, now);
            unanswered.dropped();
        }
        assertThat(unanswered.hopeless()).containsExactly(bomb);
    }

    @Test
    void afterADropASilentEventLetsTheOthersGoFirst() {
        Sent silent = sent(1);
        Sent other = sent(2);
        unanswered.dropped();
        unanswered.sent(silent, now);
        silence();

        assertThat(unanswered.due(now)).containsExactly(other);
    }

    @Test
    void largeEventsAreFewerAtATime() {
        unanswered.sent(new Sent(1, TestKeys.ALICE.sign(1, 1, List.of(), "large"), 2 << 20), now);

        assertThat(unanswered.room()).isZero();
    }
}
