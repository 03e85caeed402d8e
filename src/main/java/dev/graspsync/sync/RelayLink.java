package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
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
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jboss.logging.Logger;

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

        NegentropyCounters negentropy();

        /** Whether what came from a relay that is asked by kind alone concerns anything here; may block. */
        boolean concernsUs(Event event);
    }

    private static final Logger LOG = Logger.getLogger(RelayLink.class);
    private static final Duration PROGRESS = Duration.ofSeconds(5);

    private final RelayUrl relay;
    private final Engine engine;
    private final EventIngest ingest;
    private final InstantSource clock;
    private final RelayCounters counters;
    private final Map<String, OpenSubscription> subscriptions = new HashMap<>();
    private final RelayConnection connection;

    private final Backpressure backpressure;
    private final NegentropySets sets;
    private final NegentropySessions comparisons;
    private final RelayPush push;
    private final FloodCredit credit;
    private final LinkAuthentication authentication;
    /** Of the message that is being received. */
    private int length;

    private Instant heldBackAt = Instant.MIN;
    private boolean ended;

    private RelayLink(
            RelayUrl relay,
            Engine engine,
            EventIngest ingest,
            NegentropySets sets,
            InstantSource clock,
            RelayConnector connector) {
        this.relay = relay;
        this.engine = engine;
        this.ingest = ingest;
        this.clock = clock;
        this.counters = engine.counters(relay);
        this.connection = connector.prepare(relay, this, connector.newContext());
        this.backpressure = new Backpressure(connection, this::heldBack);
        this.credit = new FloodCredit(clock.instant());
        this.authentication = new LinkAuthentication(connection, asked -> engine.authenticate(relay, asked));
        this.sets = sets;
        this.push = new RelayPush(relay, connection, sets, engine.negentropy(), clock, this::authenticate);
        this.comparisons = new NegentropySessions(
                relay, connection, sets, engine.negentropy(), clock, this::tellOfComparison, push::lacked);
    }

    /** Everything that happens is told to the engine. */
    static RelayLink prepare(
            RelayUrl relay,
            Engine engine,
            EventIngest ingest,
            NegentropySets sets,
            InstantSource clock,
            RelayConnector connector) {
        return new RelayLink(relay, engine, ingest, sets, clock, connector);
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
                    action.subscription(),
                    new OpenSubscription(relay, action.page(), action.purpose(), clock.instant()));
            connection.send(
                    new ClientMessage.Req(action.subscription(), action.page().filters()));
        });
    }

    void unsubscribe(String id) {
        connection.onLoop(() -> {
            if (remove(id)) {
                connection.send(new ClientMessage.Close(id));
            } else {
                comparisons.close(id);
            }
        });
    }

    void reconcile(SyncAction.Reconcile action) {
        connection.onLoop(() -> comparisons.open(action));
    }

    void authenticate() {
        connection.onLoop(authentication::want);
    }

    void close() {
        connection.close();
        connection.onLoop(this::end);
    }

    private void end() {
        ended = true;
        backpressure.end();
        List.copyOf(subscriptions.keySet()).forEach(this::remove);
        comparisons.clear();
        push.end();
    }

    /** Whether there was one. What it found is told of now, for its page does not end any more. */
    private boolean remove(String id) {
        credit.closed(id, now());
        OpenSubscription removed = subscriptions.remove(id);
        if (removed == null) {
            return false;
        }
        removed.gaps().tell();
        return true;
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
        end();
        tell(new SyncInput.Lost(now(), relay, lastHeard, why));
    }

    @Override
    public void heard(int bytes) {
        length = bytes;
        counters.bytes(bytes);
    }

    @Override
    public void said(int bytes) {
        counters.sent(bytes);
    }

    @Override
    public void malformed(String why) {
        counters.malformed();
        LOG.debugf("%s sent what is no message: %s", relay, why);
    }

    @Override
    public void malformedFor(String session, String why) {
        comparisons.malformed(session, why);
    }

    @Override
    public void received(RelayMessage message) {
        switch (message) {
            case RelayMessage.Event(String id, Event event) -> onEvent(id, event);
            case RelayMessage.Eose(String id, Hint hint) -> onEose(id, hint);
            case RelayMessage.Closed(String id, String text) -> {
                if (remove(id)) {
                    tell(new SyncInput.Closed(now(), relay, id, FailureReason.line(text)));
                } else {
                    comparisons.refused(id, text, OptionalLong.empty());
                }
            }
            case RelayMessage.Notice(String text) ->
                tell(new SyncInput.Noticed(now(), relay, FailureReason.line(text)));
            case RelayMessage.Auth(String text) -> authentication.challenged(text);
            case RelayMessage.Ok ok -> onOk(ok);
            case RelayMessage.Count count -> {}
            case RelayMessage.NegMsg(String id, var answer) -> comparisons.message(id, answer, length);
            case RelayMessage.NegErr(String id, String reason, var cap) -> comparisons.refused(id, reason, cap);
        }
    }

    private void onOk(RelayMessage.Ok ok) {
        if (authentication.isAnswered(ok.eventId())) {
            tell(new SyncInput.Authenticated(now(), relay, ok.accepted(), ok.message()));
            push.authenticated(ok.accepted());
        } else {
            push.answered(ok);
        }
    }

    private void onEvent(String id, Event event) {
        OpenSubscription subscription = subscriptions.get(id);
        if (subscription == null) {
            if (!credit.isOnItsWay(id, now())) {
                unasked();
            }
            return;
        }
        counters.received(now());
        Page.Found found = subscription.offer(event);
        if (found == Page.Found.UNASKED) {
            unasked();
            return;
        }
        if (found == Page.Found.SEEN) {
            endIfTooLong(id, subscription);
            return;
        }
        if (subscription.isProgressDue(now(), PROGRESS)) {
            tell(new SyncInput.Progressed(now(), relay, id));
        }
        Way way = subscription.way();
        subscription.entered();
        backpressure.entered(size(event));
        EventIngest.Entry entry = ingest.offer(
                event,
                Provenance.from(relay, way),
                Set.of(), // NIP-70: a protected event is taken from its author alone, never from a relay
                subscription.isCoarse() ? engine::concernsUs : all -> true,
                result -> connection.onLoop(() -> onSettled(id, subscription, event, way, result)),
                () -> connection.onLoop(() -> backpressure.full(false)));
        switch (entry) {
            case TAKEN -> {}
            case TAKEN_AND_FULL -> backpressure.full(true);
            case REFUSED -> onSettled(id, subscription, event, way, IngestResult.failed());
        }
        endIfTooLong(id, subscription);
        backpressure.holdOrGoOn();
    }

    private void endIfTooLong(String id, OpenSubscription subscription) {
        if (subscription.isTooLong(now())) {
            onEose(id, Hint.MORE);
        }
    }

    /** Rule 16. */
    private void unasked() {
        counters.unasked();
        credit.unasked(now()).ifPresent(this::hangUp);
    }

    /** Rule 26: a flood is not read on. */
    private void hangUp(String why) {
        if (!ended) {
            connection.close();
            lost(now(), why);
        }
    }

    private static long size(Event event) {
        return 1_000L + event.content().length() + 100L * event.tags().size();
    }

    private void onSettled(String id, OpenSubscription subscription, Event event, Way way, IngestResult result) {
        counters.settled(way, result);
        if (result.isForged()) {
            credit.forged(now()).ifPresent(this::hangUp);
        }
        if (result.isFailure() || result.accepted() || !subscription.isOfIds()) {
            settle(id, subscription, event, way, result);
            return;
        }
        sets.execute(() -> {
            try {
                ingest.neverAdmitted(event);
            } finally {
                connection.onLoop(() -> settle(id, subscription, event, way, result));
            }
        });
    }

    private void settle(String id, OpenSubscription subscription, Event event, Way way, IngestResult result) {
        subscription.settled();
        if (result.isFailure()) {
            subscription.fail();
        } else if (result.isStored()) {
            LOG.debugf("Event %s came from %s (%s)", event.id(), relay, way);
            if (way.isGap()) {
                subscription.gaps().found(event.id());
            }
        }
        endPage(id, subscription);
        backpressure.settled(size(event));
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
            if (subscription.isSettled()) {
                subscription.gaps().tell(); // what was still under way when it was removed
            }
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
        subscription.gaps().tell();
        if (subscription.hasFailed()) {
            giveUp(id);
        } else {
            tell(new SyncInput.PageEnded(now(), relay, id, subscription.result(), hint));
        }
    }

    /** Rule 29: what the store did not take is asked for again. */
    private void giveUp(String id) {
        remove(id);
        connection.send(new ClientMessage.Close(id));
        tell(new SyncInput.Closed(now(), relay, id, "error: the own store did not take an event"));
    }

    /** An answer may be among what is not read: the time in which it has to come begins anew. */
    private void heldBack() {
        if (comparisons.areWaiting() && !now().isBefore(heldBackAt.plus(PROGRESS))) {
            heldBackAt = now();
            tell(new SyncInput.HeldBack(now(), relay));
        }
    }

    private void tellOfComparison(SyncInput input) {
        if (input instanceof SyncInput.Reconciled) {
            counters.compared();
        }
        tell(input);
    }

    private void tell(SyncInput input) {
        backpressure.told();
        engine.tell(this, input, () -> connection.onLoop(backpressure::seen));
    }

    private Instant now() {
        return clock.instant();
    }
}
