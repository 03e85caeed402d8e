package dev.graspsync.sync.core;

import java.time.Duration;

/** Numbers that look random and follow from a seed: splitmix64. */
final class Jitter {

    private long state;

    Jitter(long seed) {
        state = seed;
    }

    /** From 0 to below 1. */
    double next() {
        state += 0x9E3779B97F4A7C15L;
        long z = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return ((z ^ z >>> 31) >>> 11) * 0x1.0p-53;
    }

    Duration between(Duration least, Duration most) {
        return least.plusMillis((long) (most.minus(least).toMillis() * next()));
    }

    /** Ten percent more or less, so that relays which failed together are not asked together. */
    Duration around(Duration middle) {
        return between(
                middle.multipliedBy(9).dividedBy(10), middle.multipliedBy(11).dividedBy(10));
    }
}
