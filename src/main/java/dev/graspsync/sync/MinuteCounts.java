package dev.graspsync.sync;

import java.time.Instant;
import java.util.Arrays;

/** How many things happened in each of the last sixty minutes. */
final class MinuteCounts {

    private static final int MINUTES = 60;

    private final int[] counts = new int[MINUTES];
    private long minute;

    synchronized void count(Instant at) {
        advance(minuteOf(at));
        counts[(int) (minute % MINUTES)]++;
    }

    /** The oldest first; the last is the minute that has not ended. */
    synchronized int[] counts(Instant now) {
        advance(minuteOf(now));
        int[] ordered = new int[MINUTES];
        for (int i = 0; i < MINUTES; i++) {
            ordered[i] = counts[(int) ((minute + 1 + i) % MINUTES)];
        }
        return ordered;
    }

    /** A clock that goes back counts for the minute it had been. */
    private void advance(long now) {
        if (now - minute >= MINUTES) {
            Arrays.fill(counts, 0);
            minute = now;
        }
        while (minute < now) {
            minute++;
            counts[(int) (minute % MINUTES)] = 0;
        }
    }

    private static long minuteOf(Instant at) {
        return Math.max(0, at.getEpochSecond() / 60);
    }
}
