package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.RelayHints;
import dev.graspsync.wire.ClientMessageWriter;
import dev.graspsync.wire.ReadResult;
import dev.graspsync.wire.RelayMessageReader;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * One connection to a relay, from its name to its end: it is not opened again. May be used from any thread; all of its
 * state lives on one event loop. While paused it stops reading the socket, so that the relay is held back by TCP.
 */
final class RelayConnection implements RelaySocket.Receiver {

    /** So many malformed messages more than good ones, and the relay is no relay. */
    private static final int MALFORMED_CREDIT = 100;

    /** How far it is. */
    private sealed interface State {

        record Dialling(RelayDial dial) implements State {}

        /** The WebSocket is open and paused; its NIP-11 document is being read. */
        record Greeting(RelaySocket socket) implements State {}

        record Open(RelaySocket socket) implements State {}

        record Ended() implements State {}
    }

    private final RelayUrl relay;
    private final RelayListener listener;
    private final Context context;
    private final RelayConnector.Shared shared;
    private State state;
    private boolean paused;
    private int credit = MALFORMED_CREDIT;

    RelayConnection(RelayUrl relay, RelayListener listener, Context context, RelayConnector.Shared shared) {
        this.relay = relay;
        this.listener = listener;
        this.context = context;
        this.shared = shared;
        this.state = new State.Dialling(new RelayDial(shared));
    }

    void start() {
        onLoop(() -> {
            if (state instanceof State.Dialling(RelayDial dial)) {
                dial.start(relay, this::dialled);
            }
        });
    }

    RelayUrl relay() {
        return relay;
    }

    /** Returns the message's bytes. Dropped where the connection is not open: the listener knows, or will be told, that it is not. */
    int send(ClientMessage message) {
        byte[] json = ClientMessageWriter.write(message);
        onLoop(() -> {
            if (state instanceof State.Open(RelaySocket socket)) {
                socket.send(json);
                listener.said(json.length);
            }
        });
        return json.length;
    }

    /** Nothing more is received until {@link #resume}, but for what is on its way to the listener already. */
    void pause() {
        onLoop(() -> {
            paused = true;
            if (state instanceof State.Open(RelaySocket socket)) {
                socket.pause();
            }
        });
    }

    void resume() {
        onLoop(() -> {
            paused = false;
            if (state instanceof State.Open(RelaySocket socket)) {
                socket.resume();
            }
        });
    }

    /** For good: the listener is told nothing any more. */
    void close() {
        onLoop(() -> {
            State before = state;
            state = new State.Ended();
            switch (before) {
                case State.Dialling(RelayDial dial) -> dial.cancel();
                case State.Greeting(RelaySocket socket) -> socket.close();
                case State.Open(RelaySocket socket) -> socket.close();
                case State.Ended() -> {}
            }
        });
    }

    private void dialled(RelayDial.Outcome outcome) {
        if (!(state instanceof State.Dialling)) {
            return;
        }
        switch (outcome) {
            case RelayDial.Outcome.Failed(String why) -> {
                state = new State.Ended();
                listener.openFailed(why);
            }
            case RelayDial.Outcome.Connected connected -> {
                state = new State.Greeting(new RelaySocket(context, connected, shared, this));
                shared.information().hints(connected.address()).onSuccess(this::greeted);
            }
        }
    }

    private void greeted(RelayHints hints) {
        if (state instanceof State.Greeting(RelaySocket socket)) {
            state = new State.Open(socket);
            listener.opened(hints);
            if (!paused) {
                socket.resume();
            }
        }
    }

    @Override
    public void message(byte[] json) {
        if (!(state instanceof State.Open(RelaySocket socket))) {
            return;
        }
        listener.heard(json.length);
        switch (RelayMessageReader.read(json, 0, json.length)) {
            case ReadResult.Message<RelayMessage>(RelayMessage message) -> {
                credit = Math.min(MALFORMED_CREDIT, credit + 1);
                listener.received(message);
            }
            case ReadResult.Malformed<RelayMessage> malformed -> {
                credit--;
                listener.malformed(malformed.reason());
                malformed.negentropyId().ifPresent(id -> listener.malformedFor(id, malformed.reason()));
                if (credit == 0 && state instanceof State.Open) {
                    state = new State.Ended();
                    socket.close();
                    listener.lost(socket.lastHeard(), "too many malformed messages, the last: " + malformed.reason());
                }
            }
        }
    }

    @Override
    public void ended(String why) {
        State before = state;
        state = new State.Ended();
        switch (before) {
            case State.Open(RelaySocket socket) -> listener.lost(socket.lastHeard(), why);
            case State.Greeting(RelaySocket socket) -> listener.openFailed(why);
            case State.Dialling(RelayDial dial) -> dial.cancel();
            case State.Ended() -> {}
        }
    }

    /** Runs a task where the listener is told things. */
    void onLoop(Runnable task) {
        if (Vertx.currentContext() == context) {
            task.run();
        } else {
            context.runOnContext(ignored -> task.run());
        }
    }

    /** The same, later. */
    void after(Duration wait, Runnable task) {
        shared.vertx().setTimer(wait.toMillis(), timer -> onLoop(task));
    }
}
