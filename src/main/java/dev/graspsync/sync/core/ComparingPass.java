package dev.graspsync.sync.core;

import java.time.Duration;
import java.time.Instant;

/** What one pass of comparisons with a relay (NIP-77) has cost so far, so that none of it goes on for ever. */
final class ComparingPass {

    private static final int MOST_SPLITS = 64;
    private static final int MOST_DELAYS = 5;
    private static final Duration AT_ONCE = Duration.ofMinutes(1);
    /** An event may be replaced or deleted between the comparison and the fetch: so few missing ones say nothing. */
    private static final int FEW = 32;
    /** Of the ids it claimed, one in so many. */
    private static final int LARGE_SHARE = 4;

    private int splits;
    private int delays;
    private Instant delayedAt = Instant.MIN;
    private int fetched;
    private int undelivered;

    /** Whether one more window of time may be halved; it is from now on. */
    boolean split() {
        return ++splits <= MOST_SPLITS;
    }

    /** Whether what there was no room for here may wait once more; what comes back at the same time counts once. */
    boolean delay(Instant now) {
        if (!delayedAt.plus(AT_ONCE).isAfter(now)) {
            delayedAt = now;
            delays++;
        }
        return delays <= MOST_DELAYS;
    }

    /** So many ids were asked for by id, and so many of them did not come. */
    void fetched(int ids, int missing) {
        fetched += ids;
        undelivered += missing;
    }

    /** Whether the relay claims what it does not have. */
    boolean claimsTooMuch() {
        return undelivered > FEW && undelivered * LARGE_SHARE > fetched;
    }
}
