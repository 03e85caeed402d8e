package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.EventIngest;
import dev.graspsync.relay.IngestResult;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.Provenance.Way;
import dev.graspsync.sync.core.Page;
import dev.graspsync.sync.core.RelayHints;
import dev.graspsync.sync.core.SyncAction;
import dev.graspsync.sync.core.SyncInput;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the engine's actions on one connection and tells it what came of them. Events go straight to the ingest;
 * the engine hears of pages, not of events. Lives on the connection's event loop.
 */
final class RelayLink implements RelayListener {

    /** What the link needs of the rest. */
    interface Engine {

        /** Takes an input; {@code done} is called, on any thread, when the engine has seen it. */
        void tell(RelayLink from, SyncInput input, Runnable done);

        /** Signs the answer to a challenge (NIP-42). */
        Event authenticate(RelayUrl relay, String challenge);

        RelayCounters counters(RelayUrl relay);
    }

    private static final Logger LOG = Logger.getLogger(RelayLink.class);
    private static final Duration PROGRESS = Duration.ofSeconds(5);
    /** Events of one relay under way to the store before its socket is no longer read. */
    private static final int MOST_UNDER_WAY = 4_096;
    /** Inputs the engine has not seen before the socket is no longer read: a flood of notices is held back. */
    private static final int MOST_UNSEEN = 64;

    private static final int MOST_CHALLENGE = 1_024;
    /** About the bytes of one relay's events under way: the room is everybody's. */
    private static final long MOST_BYTES = 8L << 20;

    private final RelayUrl relay;
    private final Engine engine;
    private final EventIngest ingest;
    private final InstantSource clock;
    private final RelayCounters counters;
    private final Map<String, OpenSubscription> subscriptions = new HashMap<>();
    private final RelayConnection connection;

    private int underWay;
    private long bytes;
    private int unseen;
    private boolean full;
    private boolean paused;
    private @Nullable String challenge;
    private Optional<EventId> authenticating = Optional.empty();

    private RelayLink(
            RelayUrl relay, Engine engine, EventIngest ingest, InstantSource clock, RelayConnector connector) {
        this.relay = relay;
        this.engine = engine;
        this.ingest = ingest;
        this.clock = clock;
        this.counters = engine.counters(relay);
        this.connection = connector.prepare(relay, this, connector.newContext());
    }

    /** Everything that happens is told to the engine. */
    static RelayLink prepare(
            RelayUrl relay, Engine engine, EventIngest ingest, InstantSource clock, RelayConnector connector) {
        return new RelayLink(relay, engine, ingest, clock, connector);
    }

    RelayUrl relay() {
        return relay;
    }

    // What the engine wants ---------------------------------------------------------------------------------------

    /** Begins to connect. */
    void open() {
        connection.start();
    }

    void subscribe(SyncAction.Subscribe action) {
        connection.onLoop(() -> {
            subscriptions.put(
                    action.subscription(), new OpenSubscription(action.page(), action.purpose(), clock.instant()));
            connection.send(
                    new ClientMessage.Req(action.subscription(), action.page().filters()));
        });
    }

    void unsubscribe(String id) {
        connection.onLoop(() -> {
            if (subscriptions.remove(id) != null) {
                connection.send(new ClientMessage.Close(id));
            }
        });
    }

    void authenticate() {
        connection.onLoop(() -> {
            String asked = challenge;
            if (asked == null) {
                tell(new SyncInput.Authenticated(now(), relay, false, "the relay sent no challenge"));
                return;
            }
            Event answer = engine.authenticate(relay, asked);
            authenticating = Optional.of(answer.id());
            connection.send(new ClientMessage.Auth(answer));
        });
    }

    void close() {
        connection.close();
    }

    // What the relay says -----------------------------------------------------------------------------------------

    @Override
    public void opened(RelayHints hints) {
        tell(new SyncInput.Opened(now(), relay, hints));
    }

    @Override
    public void openFailed(String why) {
        tell(new SyncInput.OpenFailed(now(), relay, why));
    }

    @Override
    public void lost(Instant lastHeard, String why) {
        subscriptions.clear();
        tell(new SyncInput.Lost(now(), relay, lastHeard, why));
    }

    @Override
    public void heard(int bytes) {
        counters.bytes(bytes);
    }

    @Override
    public void malformed(String why) {
        counters.malformed();
        LOG.debugf("%s sent what is no message: %s", relay, why);
    }

    @Override
    public void received(RelayMessage message) {
        switch (message) {
            case RelayMessage.Event(String id, Event event) -> onEvent(id, event);
            case RelayMessage.Eose(String id, Hint hint) -> onEose(id, hint);
            case RelayMessage.Closed(String id, String text) -> {
                if (subscriptions.remove(id) != null) {
                    tell(new SyncInput.Closed(now(), relay, id, FailureReason.line(text)));
                }
            }
            case RelayMessage.Notice(String text) ->
                tell(new SyncInput.Noticed(now(), relay, FailureReason.line(text)));
            case RelayMessage.Auth(String text) -> challenge = text.length() <= MOST_CHALLENGE ? text : null;
            case RelayMessage.Ok ok -> onOk(ok);
            case RelayMessage.Count count -> {}
            case RelayMessage.NegMsg _ -> {}
            case RelayMessage.NegErr _ -> {}
        }
    }

    private void onOk(RelayMessage.Ok ok) {
        if (authenticating.filter(ok.eventId()::equals).isPresent()) {
            authenticating = Optional.empty();
            tell(new SyncInput.Authenticated(now(), relay, ok.accepted(), ok.message()));
        }
    }

    private void onEvent(String id, Event event) {
        OpenSubscription subscription = subscriptions.get(id);
        if (subscription == null) {
            return; // closed meanwhile
        }
        counters.received(now());
        Page.Found found = subscription.offer(event);
        if (found == Page.Found.UNASKED) {
            counters.unasked(); // rule 16
            return;
        }
        if (subscription.isProgressDue(now(), PROGRESS)) {
            tell(new SyncInput.Progressed(now(), relay, id));
        }
        if (found == Page.Found.SEEN) {
            return;
        }
        Way way = subscription.way();
        subscription.entered();
        underWay++;
        long size = size(event);
        bytes += size;
        EventIngest.Entry entry = ingest.offer(
                event,
                Provenance.from(relay, way),
                Set.of(), // NIP-70: a protected event is taken from its author alone, never from a relay
                result -> connection.onLoop(() -> {
                    bytes -= size;
                    onSettled(id, subscription, event.id(), way, result);
                }),
                () -> connection.onLoop(this::onRoom));
        switch (entry) {
            case TAKEN -> {}
            case TAKEN_AND_FULL -> full = true;
            case REFUSED -> {
                bytes -= size;
                onSettled(id, subscription, event.id(), way, IngestResult.failed());
            }
        }
        if (subscription.isTooLong()) {
            onEose(id, Hint.MORE);
        }
        holdOrGoOn();
    }

    private static long size(Event event) {
        return 1_000L + event.content().length() + 100L * event.tags().size();
    }

    private void onSettled(String id, OpenSubscription subscription, EventId event, Way way, IngestResult result) {
        underWay--;
        subscription.settled();
        counters.settled(way, result);
        if (result.isFailure()) {
            subscription.fail();
        } else if (result.isStored() && way.isGap()) {
            subscription.gap(event);
        } else if (result.isStored()) {
            LOG.debugf("Event %s came from %s (%s)", event, relay, way);
        }
        endPage(id, subscription);
        holdOrGoOn();
    }

    private void onRoom() {
        full = false;
        holdOrGoOn();
    }

    private void onEose(String id, Hint hint) {
        OpenSubscription subscription = subscriptions.get(id);
        if (subscription != null) {
            subscription.eose(hint);
            endPage(id, subscription);
        }
    }

    private void endPage(String id, OpenSubscription subscription) {
        if (subscriptions.get(id) != subscription) {
            return;
        }
        if (subscription.hasFailedLive()) {
            giveUp(id);
            return;
        }
        Hint hint = subscription.takeEnd();
        if (hint == null) {
            return;
        }
        logGaps(subscription);
        if (subscription.hasFailed()) {
            giveUp(id);
        } else {
            tell(new SyncInput.PageEnded(now(), relay, id, subscription.result(), hint));
        }
    }

    /** Rule 29: what the store did not take is asked for again. */
    private void giveUp(String id) {
        subscriptions.remove(id);
        connection.send(new ClientMessage.Close(id));
        tell(new SyncInput.Closed(now(), relay, id, "error: the own store did not take an event"));
    }

    private void logGaps(OpenSubscription subscription) {
        if (subscription.gaps() > 0) {
            // A fresh sync looks where both the live side and the catch-up had been: what it finds was missing for
            // long.
            LOG.logf(
                    subscription.isFreshSync() ? Logger.Level.ERROR : Logger.Level.WARN,
                    "%s: reading the history of %s found %d events that should have come live, among them %s",
                    subscription.isFreshSync() ? "Sustained sync gap" : "Sync gap",
                    relay,
                    subscription.gaps(),
                    subscription.someGaps());
        }
    }

    private void tell(SyncInput input) {
        unseen++;
        engine.tell(
                this,
                input,
                () -> connection.onLoop(() -> {
                    unseen--;
                    holdOrGoOn();
                }));
        holdOrGoOn();
    }

    /** Rule 29: a slow store, or a busy engine, slows the socket down and nothing else. */
    private void holdOrGoOn() {
        boolean hold = full || bytes >= MOST_BYTES || underWay >= MOST_UNDER_WAY || unseen >= MOST_UNSEEN;
        if (hold != paused) {
            paused = hold;
            if (hold) {
                connection.pause();
            } else {
                connection.resume();
            }
        }
    }

    private Instant now() {
        return clock.instant();
    }
}
