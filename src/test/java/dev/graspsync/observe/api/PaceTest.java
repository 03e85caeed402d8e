package dev.graspsync.observe.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long SECOND = 1_000_000_000L;

    private final Pace pace = new Pace(3);

    @Test
    void oneLookTellsNothing() {
        assertThat(pace.perSecond()).isZero();
        pace.sample(0, 1_000);
        assertThat(pace.perSecond()).isZero();
    }

    @Test
    void whatGrewIsDividedByTheTimeBetweenTheLooks() {
        pace.sample(0, 100);
        pace.sample(2 * SECOND, 125);
        assertThat(pace.perSecond()).isEqualTo(12.5);
    }

    @Test
    void onlyTheLastLooksCount() {
        pace.sample(0, 0);
        pace.sample(SECOND, 9_000);
        for (int i = 2; i <= 4; i++) {
            pace.sample(i * SECOND, 9_000 + 10 * (i - 1));
        }
        assertThat(pace.perSecond()).isEqualTo(10);
    }

    @Test
    void whatBeganAnewHasNoPaceUntilItGrows() {
        pace.sample(0, 5_000);
        pace.sample(SECOND, 3);
        assertThat(pace.perSecond()).isZero();
        pace.sample(2 * SECOND, 7);
        assertThat(pace.perSecond()).isEqualTo(4);
    }

    @Test
    void twoLooksAtOnceAreNoPace() {
        pace.sample(SECOND, 1);
        pace.sample(SECOND, 2);
        assertThat(pace.perSecond()).isZero();
    }
}
