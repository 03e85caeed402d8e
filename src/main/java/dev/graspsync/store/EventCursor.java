package dev.graspsync.store;

import org.jspecify.annotations.Nullable;

/** Results of a query, one by one, newest first, ties by lowest id. Not for several threads at once. */
public interface EventCursor extends AutoCloseable {

    /** The next match, or null at the end. */
    @Nullable
    StoredEvent next();

    /** After the end: whether a limit cut the results short (NIP-67 "more"). */
    boolean hasMore();

    /** The highest seq this cursor can have seen: what has a higher one is live to it. */
    long lastSeq();

    /** Never blocks. */
    @Override
    void close();
}
