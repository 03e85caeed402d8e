package dev.graspsync.relay;

import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.store.EventStore;
import io.vertx.core.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One connection's NIP-77 sessions. Touched on its event loop only; sets are read and compared on workers, one message of
 * a session at a time. Their ids are a namespace apart from subscriptions.
 */
final class Comparisons {

    private static final Logger LOG = Logger.getLogger(Comparisons.class);
    private static final int MOST_OPEN = 16;
    private static final int READ_AT_ONCE = 2;
    private static final Duration IDLE = Duration.ofMinutes(2);
    /** However busy it is kept: what it compares with is long out of date by then. */
    private static final Duration OLDEST = Duration.ofMinutes(10);

    private static final class Session {

        final Comparison comparison;
        final long cost;
        final Instant openedAt;
        boolean busy;
        /** While it was busy: what waits for its turn is not worth reading any more. */
        volatile boolean closed;

        Instant usedAt;

        Session(Comparison comparison, long cost, Instant now) {
            this.comparison = comparison;
            this.cost = cost;
            this.openedAt = now;
            this.usedAt = now;
        }
    }

    private final Map<String, Session> open = new LinkedHashMap<>();
    /** Replaced ones too, until they are done. */
    private int running;

    private final EventStore store;
    private final SharedRoom.Share events;
    private final SharedRoom.Share filters;
    private final int mostEvents;
    private final Executor workers;
    private final Context context;
    private final Consumer<RelayMessage> out;

    /** @param filters what the filters of open sessions are charged to */
    Comparisons(Relay relay, Context context, SharedRoom.Share filters, Consumer<RelayMessage> out) {
        this.store = relay.store();
        this.events = relay.negentropyRoom().share();
        this.filters = filters;
        this.mostEvents = relay.config().relay().maxNegentropyEvents();
        this.workers = new FewAtOnce(relay.comparers(), READ_AT_ONCE);
        this.context = context;
        this.out = out;
    }

    /**
     * One with the same id ends.
     *
     * @param cost of the filter, in bytes
     */
    void open(String id, Filter filter, long cost, NegentropyMessage message) {
        close(id);
        if (open.size() >= MOST_OPEN || running >= MOST_OPEN) {
            error(id, Prefix.RATE_LIMITED.with("too many comparisons; the limit is " + MOST_OPEN));
            return;
        }
        if (!filters.take(cost)) {
            error(id, Prefix.RATE_LIMITED.with(FilterCost.TOO_MUCH));
            return;
        }
        Session session = new Session(new Comparison(id, filter, mostEvents, events), cost, Instant.now());
        open.put(id, session);
        answer(id, session, message);
    }

    void message(String id, NegentropyMessage message) {
        Session session = open.get(id);
        if (session == null) {
            error(id, "closed: there is no comparison of this name");
        } else if (session.busy) {
            close(id);
            error(id, Prefix.INVALID.with("the message before has not been answered yet"));
        } else {
            answer(id, session, message);
        }
    }

    private void answer(String id, Session session, NegentropyMessage message) {
        session.busy = true;
        running++;
        workers.execute(() -> {
            RelayMessage answer = session.closed ? ended(session) : compare(id, session.comparison, message);
            context.runOnContext(none -> answered(id, session, answer));
        });
    }

    private static RelayMessage ended(Session session) {
        return session.comparison.error(Prefix.ERROR.with("the session has ended"), OptionalLong.empty());
    }

    private RelayMessage compare(String id, Comparison comparison, NegentropyMessage message) {
        try {
            return comparison.answer(store, message, Instant.now());
        } catch (RuntimeException failure) {
            LOG.errorf(failure, "Comparing for %s failed", id);
            return comparison.error(Prefix.ERROR.with("the store failed"), OptionalLong.empty());
        }
    }

    private void answered(String id, Session session, RelayMessage answer) {
        session.busy = false;
        running--;
        session.usedAt = Instant.now();
        if (open.get(id) != session) {
            end(session); // closed or replaced meanwhile
            return;
        }
        if (answer instanceof RelayMessage.NegErr) {
            close(id);
        }
        out.accept(answer);
    }

    void close(String id) {
        end(open.remove(id));
    }

    void closeAll() {
        open.values().forEach(this::end);
        open.clear();
    }

    /** Forgets what nobody went on with, and what took too long. */
    void expire(Instant now) {
        for (Map.Entry<String, Session> entry : Map.copyOf(open).entrySet()) {
            Session session = entry.getValue();
            if (session.openedAt.plus(OLDEST).isBefore(now)) {
                close(entry.getKey());
                error(entry.getKey(), "closed: open for too long");
            } else if (!session.busy && session.usedAt.plus(IDLE).isBefore(now)) {
                close(entry.getKey());
                error(entry.getKey(), "closed: not used for too long");
            }
        }
    }

    /** A session that is being compared ends when that is done. */
    private void end(@Nullable Session session) {
        if (session == null) {
            return;
        }
        session.closed = true;
        if (!session.busy) {
            session.comparison.end();
            filters.giveBack(session.cost);
        }
    }

    private void error(String id, String reason) {
        out.accept(new RelayMessage.NegErr(id, reason, OptionalLong.empty()));
    }
}
