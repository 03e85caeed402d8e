package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.sync.core.Refusal;
import dev.graspsync.sync.core.RelayHints;
import dev.graspsync.wire.EventJson;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sidecar mode: publishes to the own relay, in the order of the log, what other relays had and it had not. The place up
 * to which everything was answered is kept, so that neither a restart nor an hour without the relay loses an event.
 */
final class OwnRelayPublisher {

    private static final Logger LOG = Logger.getLogger(OwnRelayPublisher.class);
    private static final int IN_FLIGHT = 64;
    private static final long BYTES_IN_FLIGHT = 1 << 20;
    /** An event at which the relay hung up that often, alone on the wire, is set aside. */
    private static final int MOST_DROPS = 3;

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final Duration AFTER_ERROR = Duration.ofSeconds(10);

    /** An event that waits for its OK. */
    private static final class Sent {

        final long seq;
        final Event event;
        int drops;
        Instant sentAt = Instant.MIN;

        Sent(long seq, Event event) {
            this.seq = seq;
            this.event = event;
        }
    }

    private final RelayUrl relay;
    private final RelayConnector connector;
    private final EventStore store;
    private final HealthTracker health;
    private final Vertx vertx;
    private final Context context;
    private final InstantSource clock;
    private final Duration rateLimitPause;
    private final BiFunction<RelayUrl, String, Event> authentication;
    private final Map<EventId, Sent> unanswered = new LinkedHashMap<>();

    private @Nullable RelayConnection connection;
    private @Nullable String challenge;
    private boolean open;
    /** Written on the context only. */
    private volatile int refused;

    private boolean cautious;
    private boolean reading;
    private boolean stopped;
    private long readUpTo;
    private long savedUpTo;
    private Instant quietUntil = Instant.MIN;

    OwnRelayPublisher(
            RelayUrl relay,
            RelayConnector connector,
            EventStore store,
            HealthTracker health,
            Vertx vertx,
            InstantSource clock,
            Duration rateLimitPause,
            BiFunction<RelayUrl, String, Event> authentication) {
        this.relay = relay;
        this.connector = connector;
        this.store = store;
        this.health = health;
        this.vertx = vertx;
        this.context = connector.newContext();
        this.clock = clock;
        this.rateLimitPause = rateLimitPause;
        this.authentication = authentication;
    }

    /** Goes on where the last run ended. */
    void start() {
        readUpTo = health.publishedUpTo(relay);
        savedUpTo = readUpTo;
        context.runOnContext(ignored -> {
            connect();
            vertx.setPeriodic(LOOK_AGAIN.toMillis(), timer -> look(timer));
        });
    }

    void stop() {
        context.runOnContext(ignored -> {
            stopped = true;
            RelayConnection current = connection;
            if (current != null) {
                current.close();
            }
        });
    }

    /** How many events the relay did not take. */
    int refused() {
        return refused;
    }

    private void connect() {
        if (!stopped) {
            RelayConnection opening = connector.prepare(relay, new Listener(), context);
            connection = opening;
            opening.start();
        }
    }

    private void look(long timer) {
        if (stopped) {
            vertx.cancelTimer(timer);
            return;
        }
        save();
        if (!open || quietUntil.isAfter(clock.instant())) {
            return;
        }
        resendOverdue();
        readMore();
    }

    private void readMore() {
        if (reading || !mayRead() || !open || quietUntil.isAfter(clock.instant())) {
            return;
        }
        reading = true;
        long from = readUpTo + 1;
        cautious &= !unanswered.isEmpty();
        int most = IN_FLIGHT - unanswered.size();
        context.executeBlocking(() -> read(from, most), false).onComplete(read -> {
            reading = false;
            if (read.failed()) {
                LOG.errorf("Cannot read what to publish to %s: %s", relay, read.cause());
                return;
            }
            Batch batch = read.result();
            readUpTo = batch.upTo();
            batch.events().forEach(this::send);
            if (batch.more()) {
                readMore();
            }
        });
    }

    /** After a drop, one event at a time: who makes the relay hang up is found, and does not hold up the others. */
    private boolean mayRead() {
        return cautious ? unanswered.isEmpty() : unanswered.size() < IN_FLIGHT;
    }

    private record Batch(List<Sent> events, long upTo, boolean more) {}

    private Batch read(long from, int most) {
        List<StoredEvent> tail = store.tail(from, most);
        List<Sent> events = new ArrayList<>();
        long upTo = from - 1;
        long bytes = 0;
        for (StoredEvent event : tail) {
            bytes += event.json().length;
            if (bytes > BYTES_IN_FLIGHT && !events.isEmpty()) {
                break;
            }
            upTo = event.seq();
            if (event.provenance().relay().filter(relay::equals).isEmpty()) {
                events.add(new Sent(event.seq(), parse(event)));
            }
        }
        return new Batch(events, upTo, events.isEmpty() && tail.size() == most);
    }

    private static Event parse(StoredEvent stored) {
        return EventJson.read(stored.json());
    }

    private void send(Sent sent) {
        unanswered.put(sent.event.id(), sent);
        sent.sentAt = clock.instant();
        RelayConnection current = connection;
        if (current != null && open) {
            current.send(new ClientMessage.Event(sent.event));
        }
    }

    private void resendOverdue() {
        Instant overdue = clock.instant().minus(ANSWER);
        List.copyOf(unanswered.values()).stream()
                .filter(sent -> sent.sentAt.isBefore(overdue))
                .sorted(Comparator.comparingLong(sent -> sent.seq))
                .limit(cautious ? 1 : IN_FLIGHT)
                .forEach(this::send);
    }

    private void answered(RelayMessage.Ok ok) {
        Sent sent = unanswered.get(ok.eventId());
        if (sent == null) {
            return;
        }
        Refusal refusal = Refusal.of(ok.message());
        if (ok.accepted() || ok.message().startsWith("duplicate:")) {
            unanswered.remove(ok.eventId());
        } else if (refusal == Refusal.RATE_LIMITED) {
            pause(rateLimitPause, sent, ok.message());
        } else if (refusal == Refusal.AUTH_REQUIRED && challenge != null) {
            authenticate(challenge);
            pause(AFTER_ERROR, sent, ok.message());
        } else if (refusal == Refusal.AUTH_REQUIRED || ok.message().startsWith("error:")) {
            // Its own fault, and it may pass: sent again when an answer would be overdue, for as long as it takes.
            LOG.debugf("The own relay %s cannot take event %s now: %s", relay, ok.eventId(), ok.message());
        } else {
            unanswered.remove(ok.eventId());
            refused++;
            LOG.warnf("The own relay %s does not take event %s: %s", relay, ok.eventId(), ok.message());
        }
        if (cautious) {
            resendOverdue();
        }
        readMore();
    }

    private void pause(Duration wait, Sent sent, String why) {
        sent.sentAt = Instant.MIN; // due as soon as the pause is over
        Instant until = clock.instant().plus(wait);
        if (until.isAfter(quietUntil)) {
            quietUntil = until;
            LOG.infof("The own relay %s says %s: publishing goes on at %s", relay, why, until);
        }
    }

    private void authenticate(String text) {
        RelayConnection current = connection;
        if (current != null) {
            current.send(new ClientMessage.Auth(authentication.apply(relay, text)));
        }
    }

    private void save() {
        long done = unanswered.values().stream()
                .mapToLong(sent -> sent.seq - 1)
                .min()
                .orElse(readUpTo);
        if (done > savedUpTo) {
            savedUpTo = done;
            health.publishedUpTo(relay, done);
        }
    }

    private final class Listener implements RelayListener {

        @Override
        public void opened(RelayHints hints) {
            open = true;
            unanswered.values().forEach(sent -> sent.sentAt = Instant.MIN);
            if (!quietUntil.isAfter(clock.instant())) {
                resendOverdue();
                readMore();
            }
        }

        @Override
        public void openFailed(String why) {
            again(why);
        }

        @Override
        public void lost(Instant lastHeard, String why) {
            suspect();
            again(why);
        }

        /** The one event that was on the wire may be why it hung up. */
        private void suspect() {
            if (cautious) {
                unanswered.values().stream()
                        .filter(sent -> sent.sentAt.isAfter(Instant.MIN))
                        .min(Comparator.comparingLong(sent -> sent.seq))
                        .filter(sent -> ++sent.drops >= MOST_DROPS)
                        .ifPresent(sent -> {
                            unanswered.remove(sent.event.id());
                            refused++;
                            LOG.warnf("The own relay %s hangs up at event %s: it is left out", relay, sent.event.id());
                        });
            }
            cautious = !unanswered.isEmpty();
        }

        private void again(String why) {
            open = false;
            LOG.warnf("Cannot publish to the own relay %s: %s; trying again in %s", relay, why, AFTER_ERROR);
            vertx.setTimer(AFTER_ERROR.toMillis(), timer -> context.runOnContext(ignored -> connect()));
        }

        @Override
        public void received(RelayMessage message) {
            switch (message) {
                case RelayMessage.Ok ok -> answered(ok);
                case RelayMessage.Auth(String text) -> challenge = text;
                case RelayMessage.Notice(String text) -> {
                    if (Refusal.of(text) == Refusal.RATE_LIMITED) {
                        quietUntil = clock.instant().plus(rateLimitPause);
                    }
                    LOG.warnf("The own relay %s says: %s", relay, text);
                }
                case RelayMessage.Event event -> {}
                case RelayMessage.Eose eose -> {}
                case RelayMessage.Closed closed -> {}
                case RelayMessage.Count count -> {}
                case RelayMessage.NegMsg _ -> {}
                case RelayMessage.NegErr _ -> {}
            }
        }

        @Override
        public void malformed(String why) {}
    }
}
