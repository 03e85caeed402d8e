package dev.graspsync.relay;

import java.time.Duration;

/**
 * Until when everything that is to end at a stop is waited for: the waits of its parts must not add up to more than an
 * operator, or an orchestrator, has patience for. Begins with the first wait. What is not over by then is daemons' work
 * that a kill could have hit as well; what was acknowledged is in the store.
 */
public final class StopDeadline {

    /** Of the five seconds a stop may take, this leaves one to write down what is remembered and to close the store. */
    private static final Duration ALL = Duration.ofSeconds(4);

    private final Duration all;
    private boolean begun;
    private long end;

    StopDeadline() {
        this(ALL);
    }

    StopDeadline(Duration all) {
        this.all = all;
    }

    private synchronized Duration left() {
        if (!begun) {
            begun = true;
            end = System.nanoTime() + all.toNanos();
        }
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    /**
     * Waits for a thread that was told to end.
     *
     * @param most for this one, if so much is left: others want to end in time, too
     * @return whether it has ended
     */
    public boolean join(Thread thread, Duration most) {
        Duration left = left();
        try {
            return thread.join(left.compareTo(most) < 0 ? left : most);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
