package dev.graspsync.sync;

import java.time.Duration;

/**
 * Rule 29: how much of one relay is under way to the store and to the engine. When that is too much its socket is no
 * longer read, so that a slow store, or a busy engine, slows the relay down and nothing else.
 */
final class Backpressure {

    /** Events of one relay under way to the store before its socket is no longer read: half of the room for all. */
    private static final int MOST_UNDER_WAY = 2_048;
    /** Inputs the engine has not seen before the socket is no longer read: a flood of notices is held back. */
    private static final int MOST_UNSEEN = 64;
    /** About the bytes of one relay's events under way: the room is everybody's. */
    private static final long MOST_BYTES = 8L << 20;

    /** While nothing is read, that is said every so often. */
    private static final Duration TOLD_EVERY = Duration.ofSeconds(5);

    private final RelayConnection connection;
    private final Runnable held;
    private int underWay;
    private long bytes;
    private int unseen;
    private boolean full;
    private boolean paused;
    private boolean watching;
    private boolean ended;

    /** @param held called when the socket is read no more, every few seconds while it is not, and when it is again */
    Backpressure(RelayConnection connection, Runnable held) {
        this.connection = connection;
        this.held = held;
    }

    /** The connection is gone. */
    void end() {
        ended = true;
    }

    void entered(long size) {
        underWay++;
        bytes += size;
    }

    void settled(long size) {
        underWay--;
        bytes -= size;
        holdOrGoOn();
    }

    /** The ingest is full, or has room again. */
    void full(boolean now) {
        full = now;
        holdOrGoOn();
    }

    void told() {
        unseen++;
        holdOrGoOn();
    }

    void seen() {
        unseen--;
        holdOrGoOn();
    }

    void holdOrGoOn() {
        boolean hold = full || bytes >= MOST_BYTES || underWay >= MOST_UNDER_WAY || unseen >= MOST_UNSEEN;
        if (hold != paused) {
            paused = hold;
            if (hold) {
                connection.pause();
                watch();
            } else {
                connection.resume();
            }
            held.run();
        }
    }

    private void watch() {
        if (!watching) {
            watching = true;
            connection.after(TOLD_EVERY, () -> {
                watching = false;
                if (paused && !ended) {
                    held.run();
                    watch();
                }
            });
        }
    }
}
