package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.sync.Unanswered.Sent;
import dev.graspsync.sync.core.Refusal;
import dev.graspsync.wire.EventJson;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sidecar mode: publishes to the own relay, in the order of the log, what other relays had and it had not. The place up
 * to which everything was answered is kept, so that neither a restart nor an hour without the relay loses an event.
 */
final class OwnRelayPublisher implements KeptConnection.User {

    private static final Logger LOG = Logger.getLogger(OwnRelayPublisher.class);
    private static final long BYTES_IN_FLIGHT = 1 << 20;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final Duration AFTER_AUTHENTICATION = Duration.ofSeconds(10);

    private final RelayUrl relay;
    private final KeptConnection connection;
    private final EventStore store;
    private final HealthTracker health;
    private final InstantSource clock;
    private final Duration rateLimitPause;
    private final BiFunction<RelayUrl, String, Event> authentication;
    private final Unanswered unanswered = new Unanswered();

    private @Nullable String challenge;
    private final OwnRefusals refusals = new OwnRefusals();

    private boolean reading;
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
        this.connection = new KeptConnection(relay, connector, vertx, clock, this);
        this.store = store;
        this.health = health;
        this.clock = clock;
        this.rateLimitPause = rateLimitPause;
        this.authentication = authentication;
    }

    /** Goes on where the last run ended. */
    void start() {
        readUpTo = health.publishedUpTo(relay);
        savedUpTo = readUpTo;
        connection.start();
        connection.onLoop(this::look);
    }

    void stop() {
        connection.stop();
    }

    /** How many events the relay did not take. */
    int refused() {
        return refusals.count();
    }

    Optional<OwnRefusal> refusal(EventId id) {
        return refusals.find(id);
    }

    private void refused(EventId id, String why) {
        refusals.add(id, new OwnRefusal(relay, FailureReason.line(why), clock.instant()));
    }

    private void look() {
        if (connection.isStopped()) {
            return;
        }
        connection.after(LOOK_AGAIN, this::look);
        save();
        sendAgain();
        readMore();
    }

    private boolean maySend() {
        return connection.isOpen() && !quietUntil.isAfter(clock.instant());
    }

    private void readMore() {
        int most = unanswered.room();
        if (reading || most <= 0 || !maySend()) {
            return;
        }
        reading = true;
        long from = readUpTo + 1;
        connection.onWorker(() -> read(from, most)).onComplete(read -> {
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
        unanswered.sent(sent, clock.instant());
        connection.send(new ClientMessage.Event(sent.event));
    }

    private void sendAgain() {
        if (maySend()) {
            unanswered.due(clock.instant()).forEach(this::send);
        }
    }

    private void answered(RelayMessage.Ok ok) {
        Sent sent = unanswered.get(ok.eventId());
        if (sent == null) {
            return;
        }
        Refusal refusal = Refusal.of(ok.message());
        if (ok.accepted() || ok.message().startsWith("duplicate:")) {
            unanswered.done(sent);
        } else if (refusal == Refusal.RATE_LIMITED) {
            pause(rateLimitPause, sent, ok.message());
        } else if (refusal == Refusal.AUTH_REQUIRED && challenge != null) {
            authenticate(challenge);
            pause(AFTER_AUTHENTICATION, sent, ok.message());
        } else if (refusal == Refusal.AUTH_REQUIRED || ok.message().startsWith("error:")) {
            // Its own fault, and it may pass: sent again, for as long as it takes.
            unanswered.later(sent, clock.instant());
            LOG.debugf("The own relay %s cannot take event %s now: %s", relay, ok.eventId(), ok.message());
        } else {
            unanswered.done(sent);
            refused(ok.eventId(), ok.message());
            LOG.warnf("The own relay %s does not take event %s: %s", relay, ok.eventId(), ok.message());
        }
        if (unanswered.isCautious()) {
            sendAgain();
        }
        readMore();
    }

    private void pause(Duration wait, Sent sent, String why) {
        unanswered.again(sent);
        Instant until = clock.instant().plus(wait);
        if (until.isAfter(quietUntil)) {
            quietUntil = until;
            LOG.infof("The own relay %s says %s: publishing goes on at %s", relay, why, until);
        }
    }

    private void authenticate(String text) {
        connection.send(new ClientMessage.Auth(authentication.apply(relay, text)));
    }

    private void save() {
        long done = unanswered.answeredUpTo(readUpTo);
        if (done > savedUpTo) {
            savedUpTo = done;
            health.publishedUpTo(relay, done);
        }
    }

    @Override
    public void opened() {
        sendAgain();
        readMore();
    }

    @Override
    public void lost() {
        challenge = null;
        unanswered.dropped().ifPresent(sent -> {
            refused(sent.event.id(), "it hangs up when this event is sent to it");
            LOG.warnf("The own relay %s hangs up at event %s: it is left out", relay, sent.event.id());
        });
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
}
