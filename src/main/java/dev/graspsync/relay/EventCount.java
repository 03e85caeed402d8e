package dev.graspsync.relay;

import dev.graspsync.nostr.Filter;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import java.time.Instant;
import java.util.List;

/**
 * How many events match (NIP-45). Counting ends somewhere, so that one question does not keep a worker for as long as
 * the store is large.
 *
 * @param approximate counting ended before the matches did
 */
record EventCount(long count, boolean approximate) {

    static final int MOST = 1_000_000;

    static EventCount of(EventStore store, List<Filter> filters, Instant now, int most) {
        try (EventCursor cursor = store.query(filters, most, now.getEpochSecond())) {
            long count = 0;
            while (cursor.next() != null) {
                if (count == most) {
                    return new EventCount(count, true);
                }
                count++;
            }
            // A filter's own limit is what was asked for; only ours makes the count a guess.
            return new EventCount(count, count == most && cursor.hasMore());
        }
    }
}
