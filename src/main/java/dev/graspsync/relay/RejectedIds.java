package dev.graspsync.relay;

import dev.graspsync.nostr.EventId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The ids of events the policy refused, so that relays which offer them again and again do not cost a signature check
 * each time (rule 27). When something arrives that a refused event lacked, its id is forgotten: offered once more, it is
 * judged anew. Bounded in entries, bytes and time. Written by the ingest's writer, read by any thread.
 */
final class RejectedIds {

    private static final Duration REMEMBERED = Duration.ofDays(7);
    private static final int MOST = 50_000;
    private static final long BYTES = 16L << 20;
    private static final long ENTRY = 200;

    private final Set<EventId> ids = ConcurrentHashMap.newKeySet();
    private final WaitingRoom<EventId> rejected;

    /** @param forgotten told of every id that may be judged anew */
    RejectedIds(Consumer<EventId> forgotten) {
        rejected = new WaitingRoom<>(MOST, BYTES, REMEMBERED, id -> {
            ids.remove(id);
            forgotten.accept(id);
        });
    }

    /** @param lacks what would make it acceptable; where that is nothing, it is not remembered */
    void add(EventId id, Set<String> lacks, Instant now) {
        long bytes = ENTRY
                + lacks.stream().mapToLong(key -> 2L * ENTRY + key.length()).sum();
        rejected.add(id, lacks, bytes, id, now);
        if (rejected.holds(id)) {
            ids.add(id);
        }
    }

    boolean contains(EventId id) {
        return ids.contains(id);
    }

    /** These arrived: what lacked one of them may be acceptable now. */
    void forgetThoseLacking(Collection<String> arrived, Instant now) {
        rejected.takeFor(arrived, now);
    }

    int size() {
        return ids.size();
    }
}
