package dev.graspsync.sync.core;

/**
 * How much a relay takes at once. Starts at safe guesses, or what NIP-11 says; refusals lower it.
 *
 * @param subscriptions open at a time, live and history together
 * @param filters in one REQ
 * @param values of a tag, or ids, in one filter
 * @param bytes of one message
 * @param kindsNeeded whether it refuses filters without kinds
 * @param kinds in one filter, where kinds are named
 * @param limit to ask for, 0 to leave that to the relay
 */
public record RelayBudget(
        int subscriptions, int filters, int values, int bytes, boolean kindsNeeded, int kinds, int limit) {

    /** Larger pages would save nothing, and be harder to interrupt. */
    private static final int MOST_LIMIT = 5_000;

    static final int LEAST_BYTES = 4_096;
    /** One for announcements, one for everything else that is live, and one for history. */
    static final int LEAST_SUBSCRIPTIONS = 3;

    public RelayBudget {
        if (subscriptions < LEAST_SUBSCRIPTIONS
                || filters < 1
                || values < 1
                || bytes < LEAST_BYTES
                || kinds < 1
                || limit < 0) {
            throw new IllegalArgumentException("a budget leaves no room to ask anything");
        }
    }

    public static RelayBudget initial(int tagsPerFilter) {
        return new RelayBudget(20, 10, tagsPerFilter, 60_000, false, 20, 0);
    }

    /** NIP-11's limits, where they are tighter, or where a larger limit means fewer pages. */
    RelayBudget within(RelayHints hints) {
        return new RelayBudget(
                Math.max(
                        LEAST_SUBSCRIPTIONS,
                        Math.min(subscriptions, hints.maxSubscriptions().orElse(subscriptions))),
                Math.max(1, Math.min(filters, hints.maxFilters().orElse(filters))),
                values,
                Math.max(LEAST_BYTES, Math.min(bytes, hints.maxMessageLength().orElse(bytes))),
                kindsNeeded,
                kinds,
                Math.max(0, Math.min(MOST_LIMIT, hints.maxLimit().orElse(limit))));
    }

    /** What a refusal teaches; the same budget where nothing is left to give up. */
    RelayBudget after(Refusal refusal, int open) {
        return switch (refusal) {
            case TOO_MANY_SUBSCRIPTIONS ->
                new RelayBudget(
                        Math.max(LEAST_SUBSCRIPTIONS, Math.min(subscriptions - 1, open - 1)),
                        filters,
                        values,
                        bytes,
                        kindsNeeded,
                        kinds,
                        limit);
            case TOO_MANY_FILTERS ->
                new RelayBudget(subscriptions, Math.max(1, filters / 2), values, bytes, kindsNeeded, kinds, limit);
            case TOO_LARGE ->
                new RelayBudget(
                        subscriptions,
                        filters,
                        Math.max(1, values / 2),
                        Math.max(LEAST_BYTES, bytes / 2),
                        kindsNeeded,
                        kinds,
                        limit);
            case KINDS_NEEDED -> new RelayBudget(subscriptions, filters, values, bytes, true, kinds, limit);
            case TOO_MANY_KINDS ->
                new RelayBudget(subscriptions, filters, values, bytes, kindsNeeded, Math.max(1, kinds / 2), limit);
            case AUTH_REQUIRED, RATE_LIMITED, FINAL, ERROR -> this;
        };
    }

    /** Once a day more is tried again: a relay may have grown, or a guess been wrong. */
    RelayBudget grown(RelayBudget most) {
        return new RelayBudget(
                Math.min(most.subscriptions, 2 * subscriptions),
                Math.min(most.filters, 2 * filters),
                Math.min(most.values, 2 * values),
                Math.min(most.bytes, 2 * bytes),
                false,
                Math.min(most.kinds, 2 * kinds),
                limit);
    }

    RelayBudget withValues(int most) {
        return new RelayBudget(subscriptions, filters, most, bytes, kindsNeeded, kinds, limit);
    }

    /** Subscriptions for history; the rest stays for live ones. */
    int historySlots(int wanted) {
        return Math.max(1, Math.min(wanted, subscriptions / 2));
    }
}
