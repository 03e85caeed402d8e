package dev.graspsync.observe.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.LogCapture;
import dev.graspsync.sync.core.EngineView;
import dev.graspsync.sync.core.EngineView.Phase;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PulseTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final long SECOND = 1_000_000_000L;

    private final LogCapture log = LogCapture.of(Pulse.class);
    private Instant now = START;
    private long stored;
    private EngineView engine = view(Phase.FIRST_SYNC, 0);
    private final Pulse pulse = new Pulse(() -> stored, () -> engine, true, () -> now);

    @AfterEach
    void close() {
        log.close();
    }

    private static EngineView view(Phase phase, long confirmed) {
        return new EngineView(phase, 1_000, confirmed, 1_000 - confirmed, 10, 90, 5, 4, 1, 0, 0);
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now = now.plusSeconds(1);
            stored += 20;
            engine = view(engine.phase(), engine.confirmed() + 2);
            pulse.beat(now.getEpochSecond() * SECOND);
        }
    }

    @Test
    void aFirstSyncSaysEveryThirtySecondsHowFarItIs() {
        pass(29);
        assertThat(log.lines()).isEmpty();
        pass(1);
        assertThat(log.lines())
                .containsExactly("INFO First sync: 60 of 1000 items confirmed (6 %), 4 of 5 relays connected,"
                        + " 20 events stored a second");
        pass(29);
        assertThat(log.lines()).hasSize(1);
        pass(1);
        assertThat(log.lines()).hasSize(2).last().asString().contains("120 of 1000 items confirmed (12 %)");
    }

    @Test
    void nothingIsSaidWhenThereIsNoFirstSync() {
        engine = view(Phase.COMPLETE, 0);
        pass(100);
        engine = view(Phase.WAITING, 200);
        pass(100);
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void whileTheOwnRelayIsReadItIsSaidHowMuchIsKnownAlready() {
        engine = view(Phase.STARTING, 0);
        pass(60);
        assertThat(log.lines())
                .containsExactly(
                        "INFO Reading the own relay: 10 repositories and 90 root events so far",
                        "INFO Reading the own relay: 10 repositories and 90 root events so far");
    }

    @Test
    void aServiceThatDoesNotSyncIsNotStartingForEver() {
        Pulse off = new Pulse(() -> stored, () -> EngineView.NONE, false, () -> now);
        now = now.plusSeconds(100);
        off.beat(now.getEpochSecond() * SECOND);
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void thePaceIsOfTheLastSeconds() {
        pass(31);
        assertThat(pulse.storedPerSecond()).isEqualTo(20);
        assertThat(pulse.confirmedPerSecond()).isEqualTo(2);
    }

    @Test
    void theTimeLeftCountsWhatIsBeingReadAndNothingElse() {
        EngineView half = new EngineView(Phase.FIRST_SYNC, 1_000, 400, 100, 1, 1, 3, 2, 1, 0, 0);
        assertThat(StatusReader.secondsLeft(half, 3)).contains(34L);
        assertThat(StatusReader.secondsLeft(half, 0)).isEmpty();
        EngineView onlyUnreachable = new EngineView(Phase.FIRST_SYNC, 1_000, 400, 0, 1, 1, 3, 2, 1, 0, 0);
        assertThat(StatusReader.secondsLeft(onlyUnreachable, 3)).isEmpty();
        EngineView complete = new EngineView(Phase.COMPLETE, 1_000, 400, 100, 1, 1, 3, 2, 1, 0, 0);
        assertThat(StatusReader.secondsLeft(complete, 3)).isEmpty();
    }
}
