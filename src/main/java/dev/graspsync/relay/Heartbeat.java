package dev.graspsync.relay;

import java.time.Duration;

/** When a loop last came round. One that is never silent for long makes progress. */
public final class Heartbeat {

    private volatile long at = System.nanoTime();

    public void beat() {
        at = System.nanoTime();
    }

    public Duration silence() {
        return Duration.ofNanos(System.nanoTime() - at);
    }
}
