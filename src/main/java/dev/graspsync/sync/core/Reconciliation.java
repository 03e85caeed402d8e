package dev.graspsync.sync.core;

import dev.graspsync.nostr.Filter;
import java.util.List;
import java.util.OptionalLong;

/**
 * A comparison of what matches a filter on both sides (rule 17), in a window of time.
 *
 * @param whole whether it is of everything the relay has
 * @param since inclusive
 * @param until inclusive
 * @param splits how often its window was halved
 */
record Reconciliation(Filter base, boolean whole, long since, long until, int splits) implements Query {

    private static final int MOST_SPLITS = 12;
    /** Seconds as of today have 31 bits; what claims to be much later finds its place in the last window. */
    private static final long LAST = 1L << 40;

    static Reconciliation ofWhole() {
        return new Reconciliation(Filter.ALL, true, 0, LAST, 0);
    }

    static Reconciliation of(Filter filter) {
        return new Reconciliation(filter, false, 0, LAST, 0);
    }

    Filter filter() {
        Filter window = since > 0 ? base.withSince(since) : base;
        return until < LAST ? window.withUntil(until) : window;
    }

    /** Both halves; none where that was done too often. */
    List<Reconciliation> halves(OptionalLong middle, long now) {
        long end = Math.min(until, now);
        long at = middle.orElse(since + (end - since) / 2);
        if (splits == MOST_SPLITS || at < since || at >= until) {
            return List.of();
        }
        return List.of(
                new Reconciliation(base, whole, since, at, splits + 1),
                new Reconciliation(base, whole, at + 1, until, splits + 1));
    }
}
