package dev.graspsync.relay;

import java.time.Duration;
import java.util.Optional;

/** Whether the other end of a connection is still there and takes what it asked for. */
final class Liveness {

    /** Why a connection is cut off. */
    enum Cut {
        SLOW("it took nothing of what it asked for"),
        GONE("it was silent and did not answer a ping");

        private final String words;

        Cut(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    private final Duration readerTimeout;
    private final Duration pingInterval;
    private final Outbound out;
    private long heardAt = System.nanoTime();
    private long pingedAt = heardAt;

    Liveness(Duration readerTimeout, Duration pingInterval, Outbound out) {
        this.readerTimeout = readerTimeout;
        this.pingInterval = pingInterval;
        this.out = out;
    }

    /** Anything at all came in. */
    void heard() {
        heardAt = System.nanoTime();
    }

    /**
     * Pings a silent peer; returns why the connection is to be cut off, if it is.
     *
     * @param paused whether the socket is not read, so that silence says nothing
     */
    Optional<Cut> check(boolean paused) {
        if (out.stalled().compareTo(readerTimeout) > 0) {
            return Optional.of(Cut.SLOW);
        }
        Duration silent = since(heardAt);
        if (paused || silent.compareTo(pingInterval) <= 0) {
            return Optional.empty();
        }
        if (silent.compareTo(pingInterval.plus(readerTimeout)) > 0) {
            return Optional.of(Cut.GONE);
        }
        if (since(pingedAt).compareTo(pingInterval) > 0) {
            pingedAt = System.nanoTime();
            out.ping();
        }
        return Optional.empty();
    }

    private static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }
}
