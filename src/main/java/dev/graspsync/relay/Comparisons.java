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
    private static final Duration IDLE = Duration.ofMinutes(2);

    private static final class Session {

        final Comparison comparison;
        boolean busy;
        Instant usedAt;

        Session(Comparison comparison, Instant now) {
            this.comparison = comparison;
            this.usedAt = now;
        }
    }

    private final Map<String, Session> open = new LinkedHashMap<>();
    /** Replaced ones too, until they are done. */
    private int running;

    private final EventStore store;
    private final NegentropyRoom room;
    private final int mostEvents;
    private final Executor workers;
    private final Context context;
    private final Consumer<RelayMessage> out;

    Comparisons(Relay relay, Context context, Consumer<RelayMessage> out) {
        this.store = relay.store();
        this.room = relay.negentropyRoom();
        this.mostEvents = relay.config().relay().maxNegentropyEvents();
        this.workers = relay.workers();
        this.context = context;
        this.out = out;
    }

    /** One with the same id ends. */
    void open(String id, Filter filter, NegentropyMessage message) {
        close(id);
        if (open.size() >= MOST_OPEN || running >= MOST_OPEN) {
            error(id, Prefix.RATE_LIMITED.with("too many comparisons; the limit is " + MOST_OPEN));
            return;
        }
        Session session = new Session(new Comparison(id, filter, mostEvents, room), Instant.now());
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
            RelayMessage answer = compare(id, session.comparison, message);
            context.runOnContext(none -> answered(id, session, answer));
        });
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

    /** Forgets what nobody went on with. */
    void expire(Instant now) {
        for (Map.Entry<String, Session> entry : Map.copyOf(open).entrySet()) {
            Session session = entry.getValue();
            if (!session.busy && session.usedAt.plus(IDLE).isBefore(now)) {
                close(entry.getKey());
                error(entry.getKey(), "closed: not used for too long");
            }
        }
    }

    /** A session that is being compared ends when that is done. */
    private void end(@Nullable Session session) {
        if (session != null && !session.busy) {
            session.comparison.end();
        }
    }

    private void error(String id, String reason) {
        out.accept(new RelayMessage.NegErr(id, reason, OptionalLong.empty()));
    }
}
