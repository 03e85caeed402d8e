package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.store.EventStore;
import dev.graspsync.sync.core.Refusal;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sidecar mode: publishes to the own relay what other relays had and it had not. The place up to which everything was
 * answered is kept, so that neither a restart nor an hour without the relay loses an event.
 */
final class OwnRelayPublisher implements KeptConnection.User {

    private static final Logger LOG = Logger.getLogger(OwnRelayPublisher.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final Duration AFTER_AUTHENTICATION = Duration.ofSeconds(10);

    private final RelayUrl relay;
    private final KeptConnection connection;
    private final PublishQueue queue;
    private final InstantSource clock;
    private final Duration rateLimitPause;
    private final BiFunction<RelayUrl, String, Event> authentication;

    private @Nullable String challenge;
    private Optional<EventId> authenticating = Optional.empty();
    /** Written on the event loop only. */
    private volatile int answered;

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
        this.queue =
                new PublishQueue(relay, connection, this::maySend, new UnpublishedEvents(store, relay), health, clock);
        this.clock = clock;
        this.rateLimitPause = rateLimitPause;
        this.authentication = authentication;
    }

    /** Goes on where the last run ended. */
    void start() {
        connection.onLoop(() -> {
            queue.restore();
            look();
        });
        connection.start();
    }

    void stop() {
        connection.stop();
    }

    /** How it goes; asked from any thread. */
    Publishing publishing() {
        return queue.seen();
    }

    /** How many events the relay answered, whatever it said. */
    int answered() {
        return answered;
    }

    /** Of late, to connect. */
    KeptConnection.Failures failures() {
        return connection.failures();
    }

    /** Of an event that the relay did not take. */
    Optional<OwnRefusal> refusal(EventId id) {
        return queue.refusal(id);
    }

    private void look() {
        if (!connection.isStopped()) {
            connection.after(LOOK_AGAIN, this::look);
            queue.turn();
        }
    }

    private boolean maySend() {
        return connection.isOpen() && !isQuiet();
    }

    private boolean isQuiet() {
        return quietUntil.isAfter(clock.instant());
    }

    private void answered(RelayMessage.Ok ok) {
        EventId id = ok.eventId();
        String message = FailureReason.line(ok.message());
        if (authenticating.filter(id::equals).isPresent()) {
            authenticated(ok.accepted(), message);
        } else if (queue.isWaitingFor(id)) {
            answered++;
            if (ok.accepted() || message.startsWith("duplicate:")) {
                queue.taken(id);
            } else {
                refused(id, message);
            }
        } else {
            return;
        }
        queue.sendMore();
    }

    private void refused(EventId id, String message) {
        Refusal refusal = Refusal.of(message);
        if (refusal == Refusal.RATE_LIMITED) {
            queue.again(id);
            pause(rateLimitPause, message);
        } else if (refusal == Refusal.AUTH_REQUIRED) {
            // Counted as a failure all the same: a protected event (NIP-70) is refused like that whoever asks.
            queue.failed(id, message);
            if (authenticate(message)) {
                queue.again(id);
            }
        } else if (message.startsWith("error:")) {
            // Its own fault, and it may pass.
            queue.failed(id, message);
        } else {
            queue.refused(id, message);
        }
    }

    private void pause(Duration wait, String why) {
        Instant until = clock.instant().plus(wait);
        if (until.isAfter(quietUntil)) {
            quietUntil = until;
            LOG.infof("The own relay %s says %s: publishing goes on at %s", relay, why, until);
        }
    }

    /** Once for each challenge. Returns whether that may help yet. */
    private boolean authenticate(String why) {
        String asked = challenge;
        if (asked != null) {
            challenge = null;
            Event answer = authentication.apply(relay, asked);
            authenticating = Optional.of(answer.id());
            pause(AFTER_AUTHENTICATION, why);
            connection.send(new ClientMessage.Auth(answer));
        }
        return authenticating.isPresent() && isQuiet();
    }

    private void authenticated(boolean accepted, String message) {
        authenticating = Optional.empty();
        if (accepted) {
            quietUntil = Instant.MIN;
        } else {
            LOG.warnf("The own relay %s does not accept who this service is: %s", relay, message);
        }
    }

    @Override
    public void opened() {
        queue.sendMore();
    }

    @Override
    public void lost() {
        challenge = null;
        authenticating = Optional.empty();
        queue.lost();
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
                LOG.warnf("The own relay %s says: %s", relay, FailureReason.line(text));
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
