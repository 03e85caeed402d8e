package dev.graspsync.observe;

import dev.graspsync.nostr.Filter;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Whether the store can be read, by reading from it: the place of the last event, say, is in memory and tells nothing of
 * the disk. Asked often, it looks only now and then. May block.
 */
final class StoreProbe {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final EventStore store;
    private final InstantSource clock;
    private Instant readAt = Instant.MIN;
    private Optional<String> problem = Optional.empty();

    StoreProbe(EventStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Why it cannot be read; empty where it can. */
    synchronized Optional<String> problem() {
        Instant now = clock.instant();
        if (readAt.isBefore(now.minus(FRESH)) || readAt.isAfter(now)) {
            problem = read(now);
            readAt = now;
        }
        return problem;
    }

    private Optional<String> read(Instant now) {
        try (EventCursor newest = store.query(List.of(Filter.ALL), 1, now.getEpochSecond())) {
            newest.next();
            return Optional.empty();
        } catch (RuntimeException failure) {
            String message = failure.getMessage();
            return Optional.of(message == null ? failure.toString() : message);
        }
    }
}
