package dev.graspsync.relay;

import dev.graspsync.store.EventStore;
import dev.graspsync.store.LogPart;
import dev.graspsync.store.StoredEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The newest part of the log of commits in memory, so that a commit is read once and not once for each subscriber. Who
 * is further behind reads the log itself.
 */
final class LiveTail {

    private static final int EVENTS = 2_048;
    private static final long BYTES = 8L << 20;

    private final EventStore store;
    private final Deque<Integer> sizes = new ArrayDeque<>();
    private long bytes;
    private volatile Log recent;

    LiveTail(EventStore store) {
        this.store = store;
        long last = store.lastSeq();
        this.recent = new Log(last + 1, last, List.of());
    }

    /**
     * A stretch of the log without holes.
     *
     * @param from the seq it begins with
     * @param upTo the last seq it tells about; there may be no live event at either end
     */
    record Log(long from, long upTo, List<StoredEvent> events) {

        static Log of(long from, LogPart read) {
            return new Log(from, read.upTo(), read.events());
        }

        /** The events with a seq of at least {@code seq}. */
        List<StoredEvent> since(long seq) {
            int low = 0;
            int high = events.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (events.get(middle).seq() < seq) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return events.subList(low, events.size());
        }
    }

    Log recent() {
        return recent;
    }

    /** Reads what was committed since the last time. May block on the disk; one thread at a time. */
    void refresh() {
        LogPart next;
        do {
            next = store.tail(recent.upTo() + 1, EVENTS, BYTES);
            append(next);
        } while (next.more());
    }

    private void append(LogPart next) {
        for (StoredEvent event : next.events()) {
            int size = event.json().length;
            sizes.add(size);
            bytes += size;
        }
        List<StoredEvent> all = new ArrayList<>(recent.events());
        all.addAll(next.events());
        int dropped = 0;
        while (all.size() - dropped > EVENTS || bytes > BYTES) {
            bytes -= sizes.remove();
            dropped++;
        }
        long from = dropped == 0 ? recent.from() : all.get(dropped - 1).seq() + 1;
        recent = new Log(from, next.upTo(), List.copyOf(all.subList(dropped, all.size())));
    }
}
