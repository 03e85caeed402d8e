package dev.graspsync.sync.core;

/** How many items there are, and how many of them are confirmed and in flight; or how many more or less. */
record Count(int items, int confirmed, int pending) {

    static final Count NONE = new Count(0, 0, 0);
    private static final Count WANTED = new Count(1, 0, 0);
    private static final Count CONFIRMED = new Count(1, 1, 0);

    /** The commonest are kept once: there is a count for every repository at every relay. */
    static Count of(int items, int confirmed, int pending) {
        if (items == 0 && confirmed == 0 && pending == 0) {
            return NONE;
        }
        if (items == 1 && pending == 0 && confirmed == 0) {
            return WANTED;
        }
        if (items == 1 && pending == 0 && confirmed == 1) {
            return CONFIRMED;
        }
        return new Count(items, confirmed, pending);
    }

    Count plus(Count other) {
        return of(items + other.items, confirmed + other.confirmed, pending + other.pending);
    }

    Count minus(Count other) {
        return of(items - other.items, confirmed - other.confirmed, pending - other.pending);
    }
}
