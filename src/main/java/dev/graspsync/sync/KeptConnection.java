package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.RelayHints;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the own relay that is opened again whenever it is lost, until it is stopped. Its user is told
 * everything, and keeps all its state, on one event loop, whichever connection is open.
 */
final class KeptConnection {

    /** Hears what happens, none of it after {@link KeptConnection#stop}. */
    interface User {

        void opened();

        void received(RelayMessage message);

        /** Told once after each opened; the next attempt follows by itself. */
        void lost();
    }

    record Failures(int inARow, String last) {}

    private static final Logger LOG = Logger.getLogger(KeptConnection.class);
    private static final Duration LEAST_WAIT = Duration.ofSeconds(1);
    private static final Duration MOST_WAIT = Duration.ofSeconds(30);

    private final RelayUrl relay;
    private final RelayConnector connector;
    private final Vertx vertx;
    private final Context context;
    private final InstantSource clock;
    private final User user;

    /** Absent between two attempts. */
    private @Nullable RelayConnection connection;

    private Duration wait = LEAST_WAIT;
    private Instant openedAt = Instant.MIN;
    /** Why it was lost, or never there, and how often without a word from the relay in between. */
    private volatile Failures failures = new Failures(0, "");

    private volatile boolean open;
    private volatile boolean stopped;

    KeptConnection(RelayUrl relay, RelayConnector connector, Vertx vertx, InstantSource clock, User user) {
        this.relay = relay;
        this.connector = connector;
        this.vertx = vertx;
        this.context = connector.newContext();
        this.clock = clock;
        this.user = user;
    }

    void start() {
        onLoop(this::connect);
    }

    void stop() {
        stopped = true;
        onLoop(() -> {
            open = false;
            RelayConnection current = connection;
            if (current != null) {
                current.close();
            }
        });
    }

    boolean isOpen() {
        return open;
    }

    Failures failures() {
        return failures;
    }

    /** Why it is not open, unless it is being opened for the first time. */
    Optional<String> problem() {
        return Optional.of(failures.last()).filter(why -> !why.isEmpty());
    }

    boolean isStopped() {
        return stopped;
    }

    private void connect() {
        if (!stopped) {
            RelayConnection opening = connector.prepare(relay, new Listener(), context);
            connection = opening;
            opening.start();
        }
    }

    /** Gives the connection up and opens another one; where that is already on its way nothing happens. */
    void renew(String why) {
        RelayConnection current = connection;
        if (current == null || stopped) {
            return;
        }
        current.close();
        connection = null;
        failures = new Failures(failures.inARow() + 1, why);
        if (open) {
            open = false;
            // One that never lasts is tried less and less often, too.
            wait = openedAt.plus(MOST_WAIT).isAfter(clock.instant()) ? wait : LEAST_WAIT;
            user.lost();
        }
        LOG.warnf("The own relay %s cannot be reached: %s; next attempt in %s", relay, why, wait);
        after(wait, this::connect);
        Duration next = wait.multipliedBy(2);
        wait = next.compareTo(MOST_WAIT) > 0 ? MOST_WAIT : next;
    }

    /** Dropped while there is no connection. */
    void send(ClientMessage message) {
        with(current -> current.send(message));
    }

    /** Whether to go on reading the socket. */
    void hold(boolean hold) {
        with(hold ? RelayConnection::pause : RelayConnection::resume);
    }

    private void with(Consumer<RelayConnection> action) {
        RelayConnection current = connection;
        if (current != null) {
            action.accept(current);
        }
    }

    void onLoop(Runnable task) {
        context.runOnContext(ignored -> task.run());
    }

    void after(Duration time, Runnable task) {
        vertx.setTimer(Math.max(1, time.toMillis()), timer -> onLoop(task));
    }

    /** Runs what may block, one such task after the other; the result comes back to the event loop. */
    <T> Future<T> onWorker(Callable<T> task) {
        return context.executeBlocking(task, true);
    }

    private final class Listener implements RelayListener {

        @Override
        public void opened(RelayHints hints) {
            open = true;
            openedAt = clock.instant();
            user.opened();
        }

        @Override
        public void openFailed(String why) {
            renew(why);
        }

        @Override
        public void lost(Instant heard, String why) {
            renew(why);
        }

        @Override
        public void received(RelayMessage message) {
            failures = new Failures(0, "");
            user.received(message);
        }

        @Override
        public void malformed(String why) {
            LOG.warnf("The own relay %s sent what is no message: %s", relay, why);
        }
    }
}
