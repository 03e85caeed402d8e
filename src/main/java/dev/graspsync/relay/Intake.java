package dev.graspsync.relay;

import io.vertx.core.http.ServerWebSocket;

/**
 * Whether a client's socket is read. One that asks faster than it listens, or fills everybody's room, is not listened to
 * for a while. Touched on the connection's event loop only.
 */
final class Intake {

    /** Questions under way, or answers not taken, before the socket is no longer read. */
    private static final int IN_FLIGHT = 2_048;
    /** Bytes of answers not taken, likewise: some answers are large. */
    private static final int ANSWER_BYTES = 1 << 20;

    private final ServerWebSocket socket;
    private final Outbound out;
    private final Liveness liveness;
    private int underWay;
    private boolean full;
    private boolean paused;

    Intake(ServerWebSocket socket, Outbound out, Liveness liveness) {
        this.socket = socket;
        this.out = out;
        this.liveness = liveness;
    }

    /** A question is under way. */
    void asked() {
        underWay++;
    }

    /** One has been answered, or will not be. */
    void answered() {
        underWay--;
    }

    /** @param now whether everybody's events together leave no room for more */
    void full(boolean now) {
        full = now;
    }

    boolean isPaused() {
        return paused;
    }

    void readOrNot() {
        boolean pause = full || underWay + out.answers() >= IN_FLIGHT || out.answerBytes() >= ANSWER_BYTES;
        if (pause != paused && !socket.isClosed()) {
            paused = pause;
            if (pause) {
                socket.pause();
            } else {
                liveness.heard();
                socket.resume();
            }
        }
    }
}
