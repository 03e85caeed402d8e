package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MinuteCountsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final MinuteCounts counts = new MinuteCounts();

    @Test
    void theLastMinuteIsLast() {
        counts.count(NOON);
        counts.count(NOON.plusSeconds(59));
        counts.count(NOON.plusSeconds(60));
        assertThat(counts.counts(NOON.plusSeconds(60))).hasSize(60).endsWith(0, 2, 1);
    }

    @Test
    void whatIsOlderThanAnHourIsForgotten() {
        counts.count(NOON);
        assertThat(counts.counts(NOON.plus(Duration.ofMinutes(59)))).startsWith(1, 0);
        assertThat(counts.counts(NOON.plus(Duration.ofMinutes(60)))).containsOnly(0);
        counts.count(NOON.plus(Duration.ofDays(400)));
        assertThat(counts.counts(NOON.plus(Duration.ofDays(400)))).endsWith(0, 1);
    }

    @Test
    void aClockThatGoesBackLosesNothing() {
        counts.count(NOON);
        counts.count(NOON.minusSeconds(3_600));
        assertThat(counts.counts(NOON)).endsWith(0, 2);
    }
}
