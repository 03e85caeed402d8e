package dev.graspsync.sync;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.EventStore;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.sync.core.SyncInput.Removed;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * The own relay as the sync sees it. What is wanted is always read from the embedded one. In sidecar mode the relay
 * elsewhere is synced from like any other, for all repositories, so that the embedded one is the index of what it has;
 * and what others had and it had not is published to it.
 */
final class OwnRelay {

    private final SelfReader reader;
    private final Optional<OwnRelayPublisher> publisher;

    OwnRelay(SelfReader reader, Optional<OwnRelayPublisher> publisher) {
        this.reader = reader;
        this.publisher = publisher;
    }

    /**
     * @param connector one that may dial the own relay wherever it is: that is the operator's own choice
     * @param embedded where the embedded relay listens
     */
    static OwnRelay of(
            SyncOptions options,
            Relay relay,
            HealthTracker health,
            RelayConnector connector,
            Vertx vertx,
            InstantSource clock,
            RelayUrl embedded,
            BiFunction<RelayUrl, String, Event> authentication,
            BiConsumer<SyncInput, Runnable> engine) {
        SelfEvents events = new SelfEvents(relay::isOwnRelay, stored(relay.store()));
        SelfSubscriber subscriber =
                new SelfSubscriber(embedded, connector, vertx, clock, options.batchWindow(), events, engine);
        relay.onDelisted(delisting -> subscriber.removed(new Removed.Repo(delisting.repo(), delisting.createdAt())));
        return new OwnRelay(
                subscriber,
                options.ownRelay()
                        .map(own -> new OwnRelayPublisher(
                                own,
                                connector,
                                relay.store(),
                                health,
                                vertx,
                                clock,
                                options.settings().waits().rateLimitPause(),
                                authentication)));
    }

    static SelfEvents.Stored stored(EventStore store) {
        return new SelfEvents.Stored() {
            @Override
            public boolean has(EventId id) {
                return store.find(id).isPresent();
            }

            @Override
            public boolean had(EventId id) {
                return store.isKnown(id) && !has(id);
            }
        };
    }

    void start() {
        reader.start();
        publisher.ifPresent(OwnRelayPublisher::start);
    }

    boolean isRead() {
        return reader.isConnected();
    }

    /** How publishing goes; nothing happens where the own relay is the embedded one. */
    Publishing publishing() {
        return publisher.map(OwnRelayPublisher::publishing).orElse(Publishing.NOTHING);
    }

    /** Why it is not. */
    Optional<String> problem() {
        return reader.problem();
    }

    /** Of an event that the own relay elsewhere did not take. */
    Optional<OwnRefusal> refusal(EventId id) {
        return publisher.flatMap(to -> to.refusal(id));
    }

    void drainAgainIfDue() {
        reader.drainAgainIfDue();
    }

    void stop() {
        reader.stop();
        publisher.ifPresent(OwnRelayPublisher::stop);
    }
}
