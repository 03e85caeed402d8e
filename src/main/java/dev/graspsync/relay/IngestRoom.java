package dev.graspsync.relay;

import java.util.ArrayList;
import java.util.List;

/**
 * How much may be on its way to the store at once, from all connections together. Whoever fills it is asked to stop
 * reading until there is room again; what comes from others before they have stopped too is still taken, up to twice the
 * measure. Bounded in bytes as well as in events: a few thousand of the largest events would not fit into memory.
 */
final class IngestRoom {

    private final int maxEvents;
    private final long maxBytes;
    private int events;
    private long bytes;
    private List<Runnable> waiting = new ArrayList<>();

    IngestRoom(int maxEvents, long maxBytes) {
        this.maxEvents = maxEvents;
        this.maxBytes = maxBytes;
    }

    /** @param whenRoom called once, on any thread, after {@link EventIngest.Entry#TAKEN_AND_FULL} */
    synchronized EventIngest.Entry enter(long size, Runnable whenRoom) {
        if (events >= 2 * maxEvents || bytes > 2 * maxBytes - size) {
            return EventIngest.Entry.REFUSED;
        }
        events++;
        bytes += size;
        if (events < maxEvents && bytes < maxBytes) {
            return EventIngest.Entry.TAKEN;
        }
        waiting.add(whenRoom);
        return EventIngest.Entry.TAKEN_AND_FULL;
    }

    synchronized int size() {
        return events;
    }

    void leave(long size) {
        List<Runnable> called;
        synchronized (this) {
            events--;
            bytes -= size;
            // Not at the first free place: reading in long stretches is cheaper than in short ones.
            if (waiting.isEmpty() || events > maxEvents / 2 || bytes > maxBytes / 2) {
                return;
            }
            called = waiting;
            waiting = new ArrayList<>();
        }
        called.forEach(Runnable::run);
    }
}
