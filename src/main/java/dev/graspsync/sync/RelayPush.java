package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Publishes to one relay what comparing said it lacks (rule 23): a few events at a time, each until its OK, or for a
 * while if none comes. It ends with the connection, or when the relay says that it takes nothing from us, or says nothing
 * at all; what is left is found by the next comparison. Lives on the connection's event loop.
 */
final class RelayPush {

    private static final Logger LOG = Logger.getLogger(RelayPush.class);
    private static final int MOST_WAITING = 20_000;
    private static final int AT_ONCE = 16;
    private static final int TOLD_EVERY = 1_000;
    private static final Duration PAUSE = Duration.ofSeconds(65);
    private static final Duration ANSWER = Duration.ofSeconds(60);

    private final RelayUrl relay;
    private final RelayConnection connection;
    private final NegentropySets sets;
    private final NegentropyCounters counters;
    private final InstantSource clock;
    private final Duration answer;
    private final Deque<EventId> waiting = new ArrayDeque<>();
    /** Since when each is; the one that waits longest first. */
    private final LinkedHashMap<EventId, Instant> unanswered = new LinkedHashMap<>();

    private boolean watching;
    /** In a row. */
    private int missed;

    private boolean paused;
    private volatile boolean ended;
    private int pushed;

    RelayPush(
            RelayUrl relay,
            RelayConnection connection,
            NegentropySets sets,
            NegentropyCounters counters,
            InstantSource clock) {
        this(relay, connection, sets, counters, clock, ANSWER);
    }

    /** @param answer how long an OK is waited for */
    RelayPush(
            RelayUrl relay,
            RelayConnection connection,
            NegentropySets sets,
            NegentropyCounters counters,
            InstantSource clock,
            Duration answer) {
        this.relay = relay;
        this.connection = connection;
        this.sets = sets;
        this.counters = counters;
        this.clock = clock;
        this.answer = answer;
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
            if (unanswered.putIfAbsent(id, clock.instant()) == null) {
                sets.execute(() -> {
                    Optional<Event> event = sets.publishable(id);
                    connection.onLoop(() -> publish(id, event));
                });
            }
        }
        watch();
    }

    /** One timer, for the one that waits longest. */
    private void watch() {
        if (watching || ended || unanswered.isEmpty()) {
            return;
        }
        watching = true;
        Duration left = Duration.between(
                clock.instant(), unanswered.firstEntry().getValue().plus(answer));
        connection.after(left.isPositive() ? left.plusMillis(1) : Duration.ofMillis(1), () -> {
            watching = false;
            giveUpOverdue();
        });
    }

    /** A missing OK gives its place to the next event; when that many are missing in a row, nobody listens. */
    private void giveUpOverdue() {
        Instant overdue = clock.instant().minus(answer);
        while (!unanswered.isEmpty() && !unanswered.firstEntry().getValue().isAfter(overdue)) {
            LOG.debugf(
                    "Relay %s did not answer %s",
                    relay, unanswered.pollFirstEntry().getKey());
            missed++;
        }
        if (missed >= AT_ONCE) {
            LOG.infof("Relay %s does not answer what is published to it: nothing more is", relay);
            end();
        }
        goOn();
    }

    boolean hasEnded() {
        return ended;
    }

    private void publish(EventId id, Optional<Event> event) {
        if (ended || !unanswered.containsKey(id)) {
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
        if (unanswered.remove(ok.eventId()) == null) {
            return;
        }
        missed = 0;
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
