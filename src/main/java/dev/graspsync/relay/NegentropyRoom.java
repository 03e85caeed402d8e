package dev.graspsync.relay;

import java.util.concurrent.atomic.AtomicLong;

/** How many events may be in comparisons (NIP-77) at once, of all connections together: each takes some 42 bytes. */
final class NegentropyRoom {

    private final long most;
    private final AtomicLong taken = new AtomicLong();

    NegentropyRoom(long most) {
        this.most = most;
    }

    boolean take(long events) {
        if (taken.addAndGet(events) <= most) {
            return true;
        }
        taken.addAndGet(-events);
        return false;
    }

    void giveBack(long events) {
        taken.addAndGet(-events);
    }

    long taken() {
        return taken.get();
    }
}
