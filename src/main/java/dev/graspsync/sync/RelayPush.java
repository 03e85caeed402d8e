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
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Publishes to one relay what comparing said it lacks (rule 23): a few events at a time, each until its OK, or for a
 * while if none comes. It ends with the connection, or when the relay says that it takes nothing from us, or says nothing
 * at all; what is left is found by the next comparison. Lives on the connection's event loop.
 */
final class RelayPush {

    private static final Logger LOG = Logger.getLogger(RelayPush.class);
    private static final int AT_ONCE = 16;
    private static final int TOLD_EVERY = 1_000;

    /**
     * How long it waits.
     *
     * @param answer for an OK
     * @param pause after a rate limit
     */
    record Waits(Duration answer, Duration pause) {
        static final Waits DEFAULTS = new Waits(Duration.ofSeconds(60), Duration.ofSeconds(65));
    }

    /** Whether the relay knows who publishes (NIP-42). */
    private enum Auth {
        NOT_ASKED,
        ASKED,
        ANSWERED
    }

    private final RelayUrl relay;
    private final RelayConnection connection;
    private final NegentropySets sets;
    private final NegentropyCounters counters;
    private final InstantSource clock;
    private final Runnable authenticate;
    private final Waits waits;
    /** Each takes a place until it is answered, and so does what is unanswered. */
    private final Deque<EventId> waiting = new ArrayDeque<>();
    /** Since when each is; the one that waits longest first. */
    private final LinkedHashMap<EventId, Instant> unanswered = new LinkedHashMap<>();

    private boolean watching;
    /** In a row, of those that were sent after the last OK. */
    private int missed;

    private Instant answeredAt = Instant.MIN;

    private Auth auth = Auth.NOT_ASKED;
    private boolean paused;
    private volatile boolean ended;
    private int pushed;

    RelayPush(
            RelayUrl relay,
            RelayConnection connection,
            NegentropySets sets,
            NegentropyCounters counters,
            InstantSource clock,
            Runnable authenticate) {
        this(relay, connection, sets, counters, clock, authenticate, Waits.DEFAULTS);
    }

    /** @param authenticate signs the relay's challenge; {@link #authenticated} is called in the end */
    RelayPush(
            RelayUrl relay,
            RelayConnection connection,
            NegentropySets sets,
            NegentropyCounters counters,
            InstantSource clock,
            Runnable authenticate,
            Waits waits) {
        this.relay = relay;
        this.connection = connection;
        this.sets = sets;
        this.counters = counters;
        this.clock = clock;
        this.authenticate = authenticate;
        this.waits = waits;
    }

    /** As much of it as there is memory for; the rest waits for the next comparison. */
    void lacked(List<EventId> ids) {
        if (ended) {
            return;
        }
        int taken = (int) sets.pushRoom().takeUpTo(ids.size());
        waiting.addAll(ids.subList(0, taken));
        if (taken < ids.size()) {
            LOG.infof(
                    "Relay %s lacks %,d events more than there is room for: the next comparison finds them",
                    relay, ids.size() - taken);
        }
        goOn();
    }

    /** Nothing more is published. */
    void end() {
        ended = true;
        sets.pushRoom().giveBack(waiting.size() + unanswered.size());
        waiting.clear();
        unanswered.clear();
    }

    private void goOn() {
        while (!ended && !paused && auth != Auth.ASKED && unanswered.size() < AT_ONCE && !waiting.isEmpty()) {
            EventId id = waiting.remove();
            if (unanswered.putIfAbsent(id, clock.instant()) == null) {
                sets.execute(() -> {
                    Optional<Event> event = sets.publishable(id);
                    connection.onLoop(() -> publish(id, event));
                });
            } else {
                sets.pushRoom().giveBack(1); // two comparisons named it
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
                clock.instant(), unanswered.firstEntry().getValue().plus(waits.answer()));
        connection.after(left.isPositive() ? left.plusMillis(1) : Duration.ofMillis(1), () -> {
            watching = false;
            giveUpOverdue();
        });
    }

    /** A missing OK gives its place to the next event; when that many are missing in a row, nobody listens. */
    private void giveUpOverdue() {
        Instant overdue = clock.instant().minus(waits.answer());
        while (!unanswered.isEmpty() && !unanswered.firstEntry().getValue().isAfter(overdue)) {
            Map.Entry<EventId, Instant> first = unanswered.pollFirstEntry();
            LOG.debugf("Relay %s did not answer %s", relay, first.getKey());
            sets.pushRoom().giveBack(1);
            missed += first.getValue().isAfter(answeredAt) ? 1 : 0;
        }
        if (missed >= AT_ONCE && !ended) {
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
            sets.pushRoom().giveBack(1);
            goOn();
        }
    }

    void answered(RelayMessage.Ok ok) {
        if (unanswered.remove(ok.eventId()) == null) {
            return;
        }
        missed = 0;
        answeredAt = clock.instant();
        if (ok.accepted()) {
            sets.pushRoom().giveBack(1);
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
                    connection.after(waits.pause(), this::resume);
                }
            }
            case AUTH_REQUIRED -> {
                waiting.addFirst(id);
                authRequired(message);
            }
            case FINAL -> {
                sets.pushRoom().giveBack(1);
                takesNothing(message);
            }
            case TOO_MANY_SUBSCRIPTIONS, TOO_MANY_FILTERS, TOO_LARGE, KINDS_NEEDED, TOO_MANY_KINDS, ERROR -> {
                sets.pushRoom().giveBack(1);
                LOG.debugf("Relay %s does not take %s: %s", relay, id, FailureReason.line(message));
            }
        }
    }

    private void takesNothing(String message) {
        LOG.infof(
                "Relay %s takes nothing from this service (%s): nothing more is published to it",
                relay, FailureReason.line(message));
        end();
    }

    /** What was published before it knew who publishes is published again. */
    private void authRequired(String message) {
        switch (auth) {
            case NOT_ASKED -> {
                auth = Auth.ASKED;
                authenticate.run();
            }
            case ASKED -> {}
            case ANSWERED -> takesNothing(message);
        }
    }

    /** The relay knows who we are, or does not want to. */
    void authenticated(boolean accepted) {
        boolean asked = auth == Auth.ASKED;
        auth = Auth.ANSWERED;
        if (asked && !accepted) {
            takesNothing("it does not accept who publishes");
        } else if (asked) {
            goOn();
        }
    }

    private void resume() {
        paused = false;
        goOn();
    }
}
