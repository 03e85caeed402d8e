package dev.graspsync.relay;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.store.EventStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/** All clients: how many there may be, who hears of a commit, and who is looked after. */
final class Sessions {

    private static final Logger LOG = Logger.getLogger(Sessions.class);
    private static final Duration LOOKED_AFTER_AT_LEAST_EVERY = Duration.ofSeconds(5);

    private final Set<RelaySession> sessions = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final int mostConnections;
    private final LiveTail tail;
    private final Executor workers;

    Sessions(Vertx vertx, EventStore store, RelayConfig.Limits limits, Executor workers) {
        this.mostConnections = limits.maxConnections();
        this.tail = new LiveTail(store);
        this.workers = workers;
        Duration often = limits.readerTimeout().dividedBy(4);
        long every = often.compareTo(LOOKED_AFTER_AT_LEAST_EVERY) < 0
                ? Math.max(often.toMillis(), 1)
                : LOOKED_AFTER_AT_LEAST_EVERY.toMillis();
        vertx.setPeriodic(every, timer -> sessions.forEach(RelaySession::lookAfter));
    }

    LiveTail tail() {
        return tail;
    }

    /** Whether there is room for one more connection; if so, it is taken until {@link #leave}. */
    boolean enter() {
        if (connections.incrementAndGet() > mostConnections) {
            connections.decrementAndGet();
            return false;
        }
        return true;
    }

    void leave() {
        connections.decrementAndGet();
    }

    void add(RelaySession session) {
        sessions.add(session);
    }

    void remove(RelaySession session) {
        sessions.remove(session);
    }

    void countCutOff(Liveness.Cut reason) {
        cutOff(reason).increment();
    }

    /** How many clients were cut off, by reason. */
    static Counter cutOff(Liveness.Cut reason) {
        return Metrics.counter(
                "grasp.relay.clients.cut.off", "reason", reason.name().toLowerCase(Locale.ROOT));
    }

    /** Something was committed: it is read once for everybody. Commits during the reading share the next one. */
    void committed() {
        if (refreshing.compareAndSet(false, true)) {
            workers.execute(() -> {
                refreshing.set(false);
                try {
                    refresh();
                } catch (RuntimeException failure) {
                    LOG.errorf(failure, "Reading the newest events failed; the next commit tries again");
                }
            });
        }
    }

    private synchronized void refresh() {
        tail.refresh();
        sessions.forEach(RelaySession::wake);
    }

    void broadcast(EncodedEvent ephemeral) {
        sessions.forEach(session -> session.hearEphemeral(ephemeral));
    }
}
