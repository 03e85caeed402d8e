package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.MemoryIngest;
import dev.graspsync.sync.core.RelayRecord;
import dev.graspsync.sync.core.SyncAction;
import dev.graspsync.sync.core.SyncEngine;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.sync.core.SyncSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Our own side: carries out what the engine asks for, stores what comes, and is stopped and started at any time. */
final class SimHome {

    private static final Duration SAVED_EVERY = Duration.ofSeconds(10);
    private static final Duration UNRESOLVED = Duration.ofMillis(200);
    /** What is due already is given a moment later, so that time goes on whatever the engine says. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    final Chance chance;
    private final SimClock clock;
    private final SyncSettings settings;
    private final Map<RelayUrl, SimRelay> relays;
    private final SelfFeed self;
    private final Watch watch;
    private final Trace trace;
    private final Map<RelayUrl, HomeLink> links = new LinkedHashMap<>();
    private final Map<RelayUrl, RelayRecord> ledger = new LinkedHashMap<>();
    /** What is on the disk: the ledger is written now and then. */
    private final Map<RelayUrl, RelayRecord> saved = new LinkedHashMap<>();

    private Instant savedAt = Instant.MIN;
    private @Nullable SyncEngine engine;
    private long life;
    private Instant nextTick = Instant.MAX;
    private boolean stepping;

    SimHome(
            String domain,
            SyncSettings settings,
            SimClock clock,
            Chance chance,
            Map<RelayUrl, SimRelay> relays,
            Watch watch,
            Trace trace) {
        this.settings = settings;
        this.clock = clock;
        this.chance = chance;
        this.relays = relays;
        this.watch = watch;
        this.trace = trace;
        self = new SelfFeed(domain, clock, chance.branch(), this::step);
    }

    // The process --------------------------------------------------------------------------------------------------

    void start() {
        engine = new SyncEngine(settings, chance.number());
        life++;
        watch.started(now(), ledger.keySet());
        step(new SyncInput.Remembered(now(), List.copyOf(ledger.values())));
        self.start();
    }

    /**
     * Killed, or stopped: what was not committed is lost, and so is everything the engine did not have remembered. What was
     * refused is remembered by one that is stopped.
     */
    void stop() {
        saveIfDue();
        ledger.clear();
        ledger.putAll(saved);
        engine = null;
        life++;
        nextTick = Instant.MAX;
        links.values().forEach(HomeLink::abandon);
        links.clear();
        self.stop(chance.percent(50));
    }

    private void saveIfDue() {
        if (!savedAt.plus(SAVED_EVERY).isAfter(now())) {
            savedAt = now();
            saved.clear();
            saved.putAll(ledger);
        }
    }

    boolean isUp() {
        return engine != null;
    }

    /** A client publishes here; nobody answers while the process is down. */
    void publish(SimEvent event) {
        if (isUp()) {
            self.ingest().ingest(event, now());
        }
    }

    void repeatSome() {
        self.repeatSome();
    }

    void reconnectToOwnRelay() {
        self.reconnect();
    }

    boolean isConnectedSince(RelayUrl relay, Instant since) {
        HomeLink link = links.get(relay);
        return link != null && link.isOpen() && !link.openedAt.isAfter(since);
    }

    void removeExpired() {
        self.ingest().removeExpired(now());
    }

    MemoryIngest<SimEvent> store() {
        return self.ingest();
    }

    Map<RelayUrl, RelayRecord> ledger() {
        return ledger;
    }

    // The engine ---------------------------------------------------------------------------------------------------

    void step(SyncInput input) {
        SyncEngine running = engine;
        if (running == null) {
            return;
        }
        if (stepping) {
            throw new IllegalStateException("a step within a step");
        }
        stepping = true;
        saveIfDue();
        trace.say(now(), () -> "> " + input);
        List<SyncAction> actions = running.step(input);
        for (SyncAction action : actions) {
            trace.say(now(), () -> "    < " + action);
            watch.before(now(), action, links);
            perform(action);
        }
        watch.after(now(), running, input, actions, links);
        stepping = false;
        planTick(running.nextDue());
    }

    private void planTick(Instant due) {
        Instant at = due.isAfter(now()) ? due : now().plus(MOMENT);
        if (!due.equals(Instant.MAX) && at.isBefore(nextTick)) {
            nextTick = at;
            long began = life;
            clock.at(at, () -> {
                if (life == began && nextTick.equals(at)) {
                    nextTick = Instant.MAX;
                    step(new SyncInput.Tick(now()));
                }
            });
        }
    }

    private void perform(SyncAction action) {
        switch (action) {
            case SyncAction.Connect(RelayUrl relay) -> connect(relay);
            case SyncAction.Disconnect(RelayUrl relay, String why) -> {
                HomeLink link = links.remove(relay);
                if (link != null) {
                    link.abandon();
                }
            }
            case SyncAction.Subscribe subscribe -> {
                HomeLink link = links.get(subscribe.relay());
                if (link != null) {
                    link.subscribe(subscribe.subscription(), subscribe.page(), subscribe.purpose());
                }
            }
            case SyncAction.Reconcile reconcile -> {
                HomeLink link = links.get(reconcile.relay());
                if (link != null) {
                    link.reconcile(reconcile);
                }
            }
            case SyncAction.Unsubscribe(RelayUrl relay, String subscription) -> {
                HomeLink link = links.get(relay);
                if (link != null) {
                    link.unsubscribe(subscription);
                }
            }
            case SyncAction.Authenticate(RelayUrl relay) -> {
                HomeLink link = links.get(relay);
                if (link != null) {
                    link.authenticate();
                }
            }
            case SyncAction.Remember(RelayUrl relay, RelayRecord record) -> ledger.put(relay, record);
            case SyncAction.Forget(RelayUrl relay) -> ledger.remove(relay);
            case SyncAction.Report report -> {}
        }
    }

    private void connect(RelayUrl url) {
        HomeLink link = new HomeLink(this, url);
        links.put(url, link);
        SimRelay relay = relays.get(url);
        if (relay == null) {
            clock.after(UNRESOLVED, () -> link.failed("no such host"));
        } else {
            relay.connect(link);
        }
    }

    // The connections ----------------------------------------------------------------------------------------------

    void opened(HomeLink link, RelayUrl relay) {
        SimRelay remote = relays.get(relay);
        if (links.get(relay) == link && remote != null) {
            step(new SyncInput.Opened(now(), relay, remote.traits.hints()));
        }
    }

    void failed(HomeLink link, RelayUrl relay, String why) {
        if (links.remove(relay, link)) {
            step(new SyncInput.OpenFailed(now(), relay, why));
        }
    }

    void lost(HomeLink link, RelayUrl relay, Instant lastHeard, String why) {
        if (links.remove(relay, link)) {
            watch.lost(now(), relay, link);
            Instant heard = lastHeard.isBefore(link.openedAt) ? link.openedAt : lastHeard;
            step(new SyncInput.Lost(now(), relay, heard, why));
        }
    }

    Instant now() {
        return clock.now();
    }

    void at(Instant when, Runnable what) {
        long began = life;
        clock.at(when, () -> {
            if (life == began) {
                what.run();
            }
        });
    }

    void ingestAt(Instant when, SimEvent event) {
        at(when, () -> self.ingest().ingest(event, now()));
    }
}
