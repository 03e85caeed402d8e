package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.sync.core.SyncSettings;
import dev.graspsync.sync.core.SyncSettings.Comparing;
import dev.graspsync.sync.core.SyncSettings.FreshSync;
import dev.graspsync.sync.core.SyncSettings.KnownRelays;
import dev.graspsync.sync.core.SyncSettings.Places;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Thirty days of a handful of relays and a home, all from one seed. */
final class World {

    static final String DOMAIN = "grasp.example";
    static final String OWN_URL = "wss://grasp.example";

    private static final RelayUrl OWN = RelayUrl.parse(OWN_URL).orElseThrow();
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration BUSY = Duration.ofDays(26);
    /** Long enough for a dead relay's daily attempt and two fresh syncs after it. */
    private static final Duration QUIET = Duration.ofDays(4);

    /** Who got a place only then may not have told everything yet. */
    private static final Duration SETTLED = Duration.ofDays(2);

    private static final Duration NEVER = Duration.ofDays(60);
    private static final Duration CHECK = Duration.ofMinutes(10);

    /** What came of it. */
    record Outcome(
            long seed,
            int steps,
            int published,
            int atHome,
            List<Oracle.Missing> missing,
            List<String> broken,
            Map<String, Integer> compared) {}

    /** What its people, its relays and our process are like. */
    enum Sort {
        /** Relays with all their faults, and people who send what is old; fresh syncs find what is missed otherwise. */
        FAULTY,
        /** Relays that answer, people who are prompt, many restarts, and no fresh sync: nothing may be missed at all. */
        RESTARTED
    }

    private final long seed;
    private final Sort sort;
    /** Whether there are more relays than places (rule 26). */
    private final boolean crowded;

    final SimClock clock = new SimClock(START);
    final SimHome home;
    private final Map<RelayUrl, SimRelay> relays = new LinkedHashMap<>();
    private final Map<String, SimRelay> byText = new LinkedHashMap<>();
    private final Set<RelayUrl> bootstrap;
    private final Chance chance;
    private final Watch watch;
    private final Workload workload;

    World(long seed, Trace trace) {
        this(seed, trace, Sort.FAULTY);
    }

    World(long seed, Trace trace, Sort sort) {
        this.seed = seed;
        this.sort = sort;
        chance = Chance.of(seed);
        Chance ofRelays = chance.branch();
        crowded = sort == Sort.FAULTY && ofRelays.percent(15);
        int count = crowded ? ofRelays.between(8, 16) : ofRelays.between(3, 8);
        for (int i = 0; i < count; i++) {
            addRelay("wss://relay-" + i + ".example", i > 1 && ofRelays.percent(15), ofRelays.branch());
        }
        bootstrap = ofRelays.percent(30) ? Set.of(ofRelays.one(List.copyOf(relays.keySet()))) : Set.of();
        // Half of them find a place: the others wait until one of these is dead, or nobody names it any more.
        SyncSettings settings = (crowded ? settings(sort).with(new Places(count / 2, 20, 3)) : settings(sort))
                .with(new KnownRelays(Set.of(OWN), bootstrap, Set.of()))
                .with(comparing(ofRelays));
        watch = new Watch(settings);
        home = new SimHome(DOMAIN, settings, clock, chance.branch(), relays, watch, trace);
        workload = new Workload(this, chance.branch(), START, START.plus(BUSY), sort == Sort.RESTARTED);
        trace.say(START, () -> "world " + seed + ", bootstrap " + bootstrap);
        relays.values().forEach(relay -> trace.say(START, () -> relay + " " + relay.faults));
    }

    private static SyncSettings settings(Sort sort) {
        SyncSettings usual = SyncSettings.DEFAULTS;
        return sort == Sort.RESTARTED ? usual.with(new FreshSync(NEVER, NEVER)) : usual;
    }

    private static Comparing comparing(Chance chance) {
        return chance.one(Comparing.FETCH, Comparing.FETCH, Comparing.FETCH, Comparing.FETCH_AND_PUSH, Comparing.NEVER);
    }

    private void addRelay(String text, boolean hostile, Chance own) {
        RelayUrl url = RelayUrl.parse(text).orElseThrow();
        Faults faults = hostile
                ? Faults.forEver(own, START, START.plus(BUSY).plus(QUIET))
                : Faults.draw(own, START, START.plus(BUSY));
        SimRelay relay = sort == Sort.RESTARTED
                ? new SimRelay(url, RelayTraits.faultless(), ComparingTraits.FAULTLESS, Faults.NONE, false, clock, own)
                : new SimRelay(url, RelayTraits.draw(own), ComparingTraits.draw(own), faults, hostile, clock, own);
        relays.put(url, relay);
        byText.put(text, relay);
    }

    List<String> urls() {
        return List.copyOf(byText.keySet());
    }

    SimRelay relay(String url) {
        SimRelay relay = byText.get(url);
        if (relay == null) {
            throw new IllegalArgumentException(url);
        }
        return relay;
    }

    Outcome run() {
        workload.plan();
        planOperations();
        home.start();
        Instant end = START.plus(BUSY).plus(QUIET);
        while (clock.runNext(end)) {}
        Instant settled = clock.now().minus(SETTLED);
        List<SimRelay> judged = relays.values().stream()
                .filter(relay -> !crowded || home.isConnectedSince(relay.url, settled))
                .toList();
        List<Oracle.Missing> missing = new Oracle(home.store(), clock.now()).missing(judged, bootstrap);
        Map<String, Integer> compared = new TreeMap<>();
        relays.values()
                .forEach(relay -> relay.compared.forEach((sort, count) -> compared.merge(sort, count, Integer::sum)));
        return new Outcome(
                seed,
                watch.steps(),
                workload.published(),
                home.store().live().size(),
                missing,
                watch.broken(),
                compared);
    }

    private void planOperations() {
        Chance ofHome = chance.branch();
        Instant end = START.plus(BUSY).plus(QUIET);
        for (Instant at = START; at.isBefore(end); at = at.plus(CHECK)) {
            clock.at(at.plus(ofHome.upTo(CHECK)), this::housekeeping);
        }
        int restarts = sort == Sort.RESTARTED ? ofHome.between(10, 40) : ofHome.between(0, 5);
        for (int i = 0; i < restarts; i++) {
            Instant at = ofHome.between(START, START.plus(BUSY));
            Duration down = ofHome.percent(70)
                    ? ofHome.between(Duration.ofSeconds(1), Duration.ofMinutes(10))
                    : ofHome.between(Duration.ofMinutes(10), Duration.ofHours(12));
            clock.at(at, () -> restart(down));
        }
        int repeats = ofHome.between(0, 4);
        for (int i = 0; i < repeats; i++) {
            clock.at(ofHome.between(START, START.plus(BUSY)), home::repeatSome);
        }
        int reconnects = ofHome.between(0, 4);
        for (int i = 0; i < reconnects; i++) {
            clock.at(ofHome.between(START, START.plus(BUSY)), home::reconnectToOwnRelay);
        }
        int interventions = ofHome.between(0, 3);
        for (int i = 0; i < interventions; i++) {
            RelayUrl relay = ofHome.one(List.copyOf(relays.keySet()));
            boolean retry = ofHome.percent(50);
            clock.at(
                    ofHome.between(START, START.plus(BUSY)),
                    () -> home.step(
                            retry
                                    ? new SyncInput.RetryNow(clock.now(), relay)
                                    : new SyncInput.FreshSyncNow(clock.now(), relay)));
        }
    }

    private void housekeeping() {
        if (home.isUp()) {
            home.removeExpired();
            home.step(new SyncInput.CheckDisconnects(clock.now()));
        }
    }

    private void restart(Duration down) {
        if (home.isUp()) {
            home.stop();
            clock.after(down, home::start);
        }
    }
}
