package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Rule 26: a flood has an end, and what happens now and then has none. */
class FloodCreditTest {

    private static final Instant START = Instant.ofEpochSecond(1_000_000);

    private final FloodCredit credit = new FloodCredit(START);

    @Test
    void rule26AFloodOfWhatNobodyAskedForUsesTheCreditUp() {
        for (int i = 1; i < FloodCredit.UNASKED; i++) {
            assertThat(credit.unasked(START)).isEmpty();
        }

        assertThat(credit.unasked(START)).hasValue("too many events that nobody asked for");
        assertThat(credit.forged(START)).isEmpty();
    }

    @Test
    void rule26AFloodOfForgedEventsUsesTheCreditUp() {
        for (int i = 1; i < FloodCredit.FORGED; i++) {
            assertThat(credit.forged(START)).isEmpty();
        }

        assertThat(credit.forged(START)).hasValue("too many forged events");
    }

    @Test
    void rule26TheCreditComesBackSlowly() {
        Instant now = START;
        for (int i = 0; i < 10 * FloodCredit.FORGED; i++) {
            now = now.plus(Duration.ofSeconds(1));
            assertThat(credit.forged(now)).isEmpty();
        }
    }

    @Test
    void rule26WhatWasAskedForUntilAMomentAgoIsNoFlood() {
        credit.closed("s", START);

        assertThat(credit.isOnItsWay("s", START.plusSeconds(59))).isTrue();
        assertThat(credit.isOnItsWay("s", START.plusSeconds(61))).isFalse();
        assertThat(credit.isOnItsWay("never open", START)).isFalse();
    }

    @Test
    void rule26OnlySoManyClosedSubscriptionsAreRemembered() {
        for (int i = 0; i < 5_000; i++) {
            credit.closed("s" + i, START);
        }

        assertThat(credit.isOnItsWay("s4999", START)).isTrue();
        assertThat(credit.isOnItsWay("s0", START)).isFalse();
    }
}
