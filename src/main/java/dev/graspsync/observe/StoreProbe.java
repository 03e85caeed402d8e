package dev.graspsync.observe;

import dev.graspsync.store.EventStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Whether the store can be read, by reading from it. Asked often, it looks only now and then. May block. */
final class StoreProbe {

    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final long MOST_BYTES = 1 << 20;

    private final Runnable read;
    private final InstantSource clock;
    private Instant readAt = Instant.MIN;
    private Optional<String> problem = Optional.empty();

    StoreProbe(EventStore store, InstantSource clock) {
        this(() -> readAnywhere(store), clock);
    }

    StoreProbe(Runnable read, InstantSource clock) {
        this.read = read;
        this.clock = clock;
    }

    /** What is new is in memory and tells nothing of the disk, so it is read somewhere. */
    private static void readAnywhere(EventStore store) {
        long last = store.lastSeq();
        store.tail(last == 0 ? 1 : ThreadLocalRandom.current().nextLong(last) + 1, 1, MOST_BYTES);
    }

    /** Why it cannot be read; empty where it can. */
    synchronized Optional<String> problem() {
        Instant now = clock.instant();
        if (readAt.isBefore(now.minus(FRESH)) || readAt.isAfter(now)) {
            problem = look();
            readAt = now;
        }
        return problem;
    }

    private Optional<String> look() {
        try {
            read.run();
            return Optional.empty();
        } catch (RuntimeException failure) {
            String message = failure.getMessage();
            return Optional.of(message == null ? failure.toString() : message);
        }
    }
}
