package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.Page;
import dev.graspsync.sync.core.PageRequest;
import dev.graspsync.sync.core.Purpose;
import dev.graspsync.sync.core.ReconcileFailure;
import dev.graspsync.sync.core.SyncAction;
import dev.graspsync.sync.core.SyncInput;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The own end of one connection, as the shell keeps it: pages are counted, and end when their events are committed. */
final class HomeLink implements SimSocket.Listener {

    private static final Duration TELL_PROGRESS = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAGE = Duration.ofMinutes(10);
    private static final Duration SLOWEST_COMMIT = Duration.ofMillis(800);

    /** A subscription and how far its first page is. */
    static final class Reading {
        final PageRequest request;
        final Purpose purpose;
        final Page page;
        boolean atEose;
        /** Whether the engine knows that the page ended. */
        boolean ended;

        final Instant openedAt;
        Instant lastSign;
        Instant lastTold;

        Reading(PageRequest request, Purpose purpose, Instant now) {
            this.request = request;
            this.purpose = purpose;
            page = new Page(request);
            openedAt = now;
            lastSign = now;
            lastTold = now;
        }
    }

    private final SimHome home;
    private final RelayUrl relay;
    final Map<String, Reading> readings = new LinkedHashMap<>();
    final Map<String, SyncAction.Reconcile> comparisons = new LinkedHashMap<>();
    private @Nullable SimSocket socket;
    private boolean gone;
    private boolean challenged;
    private boolean authenticationWanted;
    private Instant committed;
    Instant openedAt = Instant.MAX;

    HomeLink(SimHome home, RelayUrl relay) {
        this.home = home;
        this.relay = relay;
        committed = home.now();
    }

    boolean isOpen() {
        return socket != null && !gone;
    }

    // What the engine asks for -------------------------------------------------------------------------------------

    void subscribe(String subscription, PageRequest page, Purpose purpose) {
        readings.put(subscription, new Reading(page, purpose, home.now()));
        if (socket != null) {
            socket.req(subscription, page.filters());
        }
    }

    void reconcile(SyncAction.Reconcile action) {
        String session = action.session();
        comparisons.put(session, action);
        // Our own side takes its time, too.
        home.at(home.now().plus(home.chance.upTo(SLOWEST_COMMIT)), () -> {
            SimSocket open = socket;
            if (!gone && comparisons.containsKey(session) && open != null) {
                if (home.store().countMatching(action.filter()) == 0) {
                    fail(session, new ReconcileFailure.TooDifferent("nothing of it is here"));
                } else {
                    open.compare(session, action.filter());
                    home.step(new SyncInput.ReconcileBegan(home.now(), relay, session));
                }
            }
        });
    }

    private void fail(String session, ReconcileFailure why) {
        if (!gone && comparisons.remove(session) != null) {
            home.step(new SyncInput.ReconcileFailed(home.now(), relay, session, why));
        }
    }

    @Override
    public void progress(String session) {
        if (!gone && comparisons.containsKey(session)) {
            home.step(new SyncInput.Progressed(home.now(), relay, session));
        }
    }

    @Override
    public void claims(String session, List<EventId> ids) {
        SyncAction.Reconcile action = comparisons.get(session);
        if (gone || action == null) {
            return;
        }
        List<EventId> need =
                ids.stream().filter(id -> !home.store().needsNoFetch(id)).toList();
        if (need.size() > action.most().of(home.store().countMatching(action.filter()))) {
            fail(session, new ReconcileFailure.TooDifferent("too many"));
        } else {
            comparisons.remove(session);
            home.step(new SyncInput.Reconciled(home.now(), relay, session, need, 0));
        }
    }

    @Override
    public void negErr(String session, String reason, OptionalLong cap) {
        fail(session, new ReconcileFailure.Refused(reason, cap, OptionalLong.empty()));
    }

    @Override
    public void garbage(String session) {
        fail(session, new ReconcileFailure.Broken("no message of the protocol"));
    }

    void unsubscribe(String subscription) {
        comparisons.remove(subscription);
        readings.remove(subscription);
        if (socket != null) {
            socket.close(subscription);
        }
    }

    void authenticate() {
        authenticationWanted = true;
        authenticateIfChallenged();
    }

    private void authenticateIfChallenged() {
        if (authenticationWanted && challenged && socket != null) {
            authenticationWanted = false;
            socket.auth();
        }
    }

    @Override
    public void challenge() {
        challenged = true;
        authenticateIfChallenged();
    }

    /** Hangs up without a word to the engine. */
    void abandon() {
        gone = true;
        if (socket != null) {
            socket.hangUp();
        }
    }

    // What the relay says ------------------------------------------------------------------------------------------

    @Override
    public void opened(SimSocket opened) {
        if (gone) {
            opened.hangUp();
            return;
        }
        socket = opened;
        openedAt = home.now();
        home.opened(this, relay);
    }

    @Override
    public void failed(String why) {
        if (!gone) {
            gone = true;
            home.failed(this, relay, why);
        }
    }

    @Override
    public void events(String subscription, List<SimEvent> events) {
        Reading reading = readings.get(subscription);
        if (gone || reading == null) {
            return;
        }
        boolean fresh = false;
        for (SimEvent event : events) {
            Page.Found found = reading.atEose ? Page.Found.SEEN : reading.page.offer(event);
            boolean asked = reading.atEose
                    ? reading.request.filters().stream().anyMatch(filter -> filter.matches(event))
                    : found != Page.Found.UNASKED;
            fresh |= found == Page.Found.FRESH;
            if (asked) {
                commit(event);
            }
        }
        if (!reading.atEose && home.now().isAfter(reading.openedAt.plus(LONGEST_PAGE))) {
            eose(subscription, Hint.MORE);
        } else if (fresh && !reading.atEose && home.now().isAfter(reading.lastTold.plus(TELL_PROGRESS))) {
            reading.lastTold = home.now();
            reading.lastSign = home.now();
            home.step(new SyncInput.Progressed(home.now(), relay, subscription));
        }
    }

    private void commit(SimEvent event) {
        Instant at = home.now().plus(home.chance.upTo(SLOWEST_COMMIT));
        committed = at.isBefore(committed) ? committed : at;
        home.ingestAt(committed, event);
    }

    @Override
    public void eose(String subscription, Hint hint) {
        Reading reading = readings.get(subscription);
        if (gone || reading == null || reading.atEose) {
            return;
        }
        reading.atEose = true;
        home.at(committed, () -> {
            if (!gone && readings.get(subscription) == reading) {
                reading.ended = true;
                reading.lastSign = home.now();
                home.step(new SyncInput.PageEnded(home.now(), relay, subscription, reading.page.result(), hint));
            }
        });
    }

    @Override
    public void closed(String subscription, String message) {
        if (!gone && readings.containsKey(subscription)) {
            Reading reading = readings.get(subscription);
            home.at(committed, () -> {
                if (!gone && readings.get(subscription) == reading) {
                    readings.remove(subscription);
                    home.step(new SyncInput.Closed(home.now(), relay, subscription, message));
                }
            });
        }
    }

    @Override
    public void notice(String message) {
        if (!gone) {
            home.step(new SyncInput.Noticed(home.now(), relay, message));
        }
    }

    @Override
    public void authenticated(boolean accepted, String message) {
        if (!gone) {
            home.step(new SyncInput.Authenticated(home.now(), relay, accepted, message));
        }
    }

    @Override
    public void lost(Instant lastHeard, String why) {
        if (!gone) {
            gone = true;
            home.lost(this, relay, lastHeard, why);
        }
    }
}
