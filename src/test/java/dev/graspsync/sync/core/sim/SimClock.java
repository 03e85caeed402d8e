package dev.graspsync.sync.core.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that jumps from one thing to the next; things of the same instant happen in the order they were asked for. */
final class SimClock {

    private record Due(Instant at, long number, Runnable what) {}

    private final PriorityQueue<Due> queue =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::number));
    private Instant now;
    private long number;

    SimClock(Instant start) {
        now = start;
    }

    Instant now() {
        return now;
    }

    void at(Instant when, Runnable what) {
        queue.add(new Due(when.isBefore(now) ? now : when, number++, what));
    }

    void after(Duration wait, Runnable what) {
        at(now.plus(wait), what);
    }

    /** Lets the next thing happen, if it is due by then. */
    boolean runNext(Instant until) {
        Due next = queue.peek();
        if (next == null || next.at.isAfter(until)) {
            now = until;
            return false;
        }
        queue.remove();
        now = next.at;
        next.what.run();
        return true;
    }
}
