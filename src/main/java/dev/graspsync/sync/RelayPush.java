package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.Refusal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Publishes to one relay what comparing said it lacks (rule 23): a few events at a time, each until its OK. It ends with
 * the connection, or when the relay says that it takes nothing from us; what is left is found by the next comparison.
 * Lives on the connection's event loop.
 */
final class RelayPush {

    private static final Logger LOG = Logger.getLogger(RelayPush.class);
    private static final int MOST_WAITING = 20_000;
    private static final int AT_ONCE = 16;
    private static final int TOLD_EVERY = 1_000;
    private static final Duration PAUSE = Duration.ofSeconds(65);

    private final RelayUrl relay;
    private final RelayConnection connection;
    private final NegentropySets sets;
    private final NegentropyCounters counters;
    private final Deque<EventId> waiting = new ArrayDeque<>();
    private final Set<EventId> unanswered = new HashSet<>();
    private boolean paused;
    private boolean ended;
    private int pushed;

    RelayPush(RelayUrl relay, RelayConnection connection, NegentropySets sets, NegentropyCounters counters) {
        this.relay = relay;
        this.connection = connection;
        this.sets = sets;
        this.counters = counters;
    }

    /** More than fits waits for the next comparison. */
    void lacked(List<EventId> ids) {
        if (!ended) {
            ids.stream().limit(MOST_WAITING - waiting.size()).forEach(waiting::add);
            goOn();
        }
    }

    /** Nothing more is published. */
    void end() {
        ended = true;
        waiting.clear();
        unanswered.clear();
    }

    private void goOn() {
        while (!ended && !paused && unanswered.size() < AT_ONCE && !waiting.isEmpty()) {
            EventId id = waiting.remove();
            if (unanswered.add(id)) {
                sets.execute(() -> {
                    Optional<Event> event = sets.publishable(id);
                    connection.onLoop(() -> publish(id, event));
                });
            }
        }
    }

    private void publish(EventId id, Optional<Event> event) {
        if (ended) {
            return;
        }
        if (event.isPresent()) {
            connection.send(new ClientMessage.Event(event.get()));
        } else {
            unanswered.remove(id);
            goOn();
        }
    }

    void answered(RelayMessage.Ok ok) {
        if (!unanswered.remove(ok.eventId())) {
            return;
        }
        if (ok.accepted()) {
            counters.pushed();
            if (++pushed % TOLD_EVERY == 0 || waiting.isEmpty() && unanswered.isEmpty()) {
                LOG.infof("Relay %s took %,d events it had lacked, %,d are left", relay, pushed, waiting.size());
            }
        } else {
            refused(ok.eventId(), ok.message());
        }
        goOn();
    }

    private void refused(EventId id, String message) {
        switch (Refusal.of(message)) {
            case RATE_LIMITED -> {
                waiting.addFirst(id);
                if (!paused) {
                    paused = true;
                    connection.after(PAUSE, () -> {
                        paused = false;
                        goOn();
                    });
                }
            }
            case AUTH_REQUIRED, FINAL -> {
                LOG.infof(
                        "Relay %s takes nothing from this service (%s): nothing more is published to it",
                        relay, FailureReason.line(message));
                end();
            }
            case TOO_MANY_SUBSCRIPTIONS, TOO_MANY_FILTERS, TOO_LARGE, KINDS_NEEDED, TOO_MANY_KINDS, ERROR ->
                LOG.debugf("Relay %s does not take %s: %s", relay, id, FailureReason.line(message));
        }
    }
}
