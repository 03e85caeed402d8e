package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** An engine with a clock and a memory of what it asked for, for tests that tell a story. */
final class EngineScenario {

    static final RelayUrl RELAY = url("wss://relay.one");
    static final RelayUrl OTHER = url("wss://relay.two");

    private final SyncSettings settings;
    private SyncEngine engine;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private List<SyncAction> last = List.of();
    private final Map<RelayUrl, RelayRecord> ledger = new LinkedHashMap<>();
    private final Map<String, SyncAction.Subscribe> open = new LinkedHashMap<>();

    EngineScenario() {
        this(SyncSettings.DEFAULTS);
    }

    EngineScenario(SyncSettings settings) {
        this.settings = settings;
        engine = new SyncEngine(settings, 1);
    }

    /** Killed and started again: all that is left is what was remembered. */
    EngineScenario restart(Duration down) {
        now = now.plus(down);
        open.clear();
        engine = new SyncEngine(settings, 2);
        return give(new SyncInput.Remembered(now, List.copyOf(ledger.values())));
    }

    static RelayUrl url(String text) {
        return RelayUrl.parse(text).orElseThrow();
    }

    static EventId id(int number) {
        return new EventId(number, 0, 0, 31L * number + 7);
    }

    static RepoAddress repo(int number) {
        return new RepoAddress(new PublicKey(number, 0, 0, number), "repo-" + number);
    }

    Instant now() {
        return now;
    }

    // What happens -------------------------------------------------------------------------------------------------

    EngineScenario give(SyncInput input) {
        last = engine.step(input);
        engine.checkInvariants();
        for (SyncAction action : last) {
            switch (action) {
                case SyncAction.Subscribe subscribe -> open.put(subscribe.subscription(), subscribe);
                case SyncAction.Unsubscribe(var relay, String id) -> open.remove(id);
                case SyncAction.Disconnect(var relay, String why) -> closeAll(relay);
                case SyncAction.Remember(var relay, RelayRecord record) -> ledger.put(relay, record);
                default -> {}
            }
        }
        return this;
    }

    private void closeAll(RelayUrl relay) {
        open.values().removeIf(subscribe -> subscribe.relay().equals(relay));
    }

    /** Lets time pass, ticking whenever the engine wants it. */
    EngineScenario pass(Duration time) {
        Instant end = now.plus(time);
        List<SyncAction> all = new ArrayList<>();
        for (Instant due = engine.nextDue(); !due.isAfter(end); due = engine.nextDue()) {
            now = due.isAfter(now) ? due : now;
            give(new SyncInput.Tick(now));
            all.addAll(last);
        }
        now = end;
        give(new SyncInput.Tick(now));
        all.addAll(last);
        last = all;
        return this;
    }

    /** Lets time pass while a relay answers every request with nothing. */
    EngineScenario passAnswering(Duration time, RelayUrl relay) {
        Instant end = now.plus(time);
        List<SyncAction> all = new ArrayList<>();
        while (now.isBefore(end)) {
            Instant due = engine.nextDue().isAfter(now) ? engine.nextDue() : now.plusSeconds(1);
            pass(Duration.between(now, due.isBefore(end) ? due : end));
            all.addAll(last);
            drain(relay);
            all.addAll(last);
        }
        last = all;
        return this;
    }

    /** Lets time pass until something is done. */
    EngineScenario passUntil(Duration most, Predicate<SyncAction> done) {
        Instant end = now.plus(most);
        while (now.isBefore(end)) {
            pass(Duration.between(now, engine.nextDue().isAfter(now) ? engine.nextDue() : now.plusSeconds(1)));
            if (last.stream().anyMatch(done)) {
                return this;
            }
        }
        throw new AssertionError("it did not happen");
    }

    EngineScenario announce(int repo, long createdAt, RelayUrl... relays) {
        return give(new SyncInput.SelfBatch(now, List.of(announced(repo, createdAt, relays)), List.of(), List.of()));
    }

    static SyncInput.Announced announced(int repo, long createdAt, RelayUrl... relays) {
        return new SyncInput.Announced(
                repo(repo), id(1_000_000 + (int) createdAt), createdAt, List.of(relays), List.of(), Optional.empty());
    }

    EngineScenario roots(int repo, int... ids) {
        List<SyncInput.Rooted> roots = new ArrayList<>();
        for (int id : ids) {
            roots.add(new SyncInput.Rooted(id(id), List.of(repo(repo)), List.of()));
        }
        return give(new SyncInput.SelfBatch(now, List.of(), roots, List.of()));
    }

    EngineScenario drained() {
        return give(new SyncInput.SelfDrained(now));
    }

    EngineScenario open(RelayUrl relay) {
        return give(new SyncInput.Opened(now, relay, RelayHints.NONE));
    }

    EngineScenario lose(RelayUrl relay) {
        closeAll(relay);
        return give(new SyncInput.Lost(now, relay, now, "gone"));
    }

    EngineScenario fail(RelayUrl relay) {
        return give(new SyncInput.OpenFailed(now, relay, "refused"));
    }

    EngineScenario closed(String subscription, String message) {
        SyncAction.Subscribe subscribe = Objects.requireNonNull(open.remove(subscription));
        return give(new SyncInput.Closed(now, subscribe.relay(), subscription, message));
    }

    EngineScenario eose(String subscription) {
        return page(subscription, 0, 0, 0, Set.of(), Hint.NONE);
    }

    /** A page in which every filter got the same. */
    EngineScenario page(String subscription, int received, int fresh, long oldest, Set<EventId> ids, Hint hint) {
        SyncAction.Subscribe subscribe = Objects.requireNonNull(open.get(subscription));
        List<PageResult.Read> read = subscribe.page().cursors().stream()
                .map(cursor -> new PageResult.Read(received, oldest, ids))
                .toList();
        return give(new SyncInput.PageEnded(
                now, subscribe.relay(), subscription, new PageResult(received, fresh, read), hint));
    }

    /** Answers every open request of a relay with nothing, until none is left but the live ones. */
    EngineScenario drain(RelayUrl relay) {
        for (int rounds = 0; rounds < 10_000; rounds++) {
            Optional<String> next = open.values().stream()
                    .filter(subscribe -> subscribe.relay().equals(relay) && subscribe.purpose() != Purpose.LIVE)
                    .map(SyncAction.Subscribe::subscription)
                    .findFirst();
            if (next.isEmpty()) {
                return this;
            }
            eose(next.get());
        }
        throw new AssertionError("no end of requests");
    }

    /** Drains a relay and tells which of its history requests asked for something. */
    List<SyncAction.Subscribe> drainAndCollect(RelayUrl relay, Predicate<Filter> filter) {
        List<SyncAction.Subscribe> found = new ArrayList<>();
        for (int rounds = 0; rounds < 10_000; rounds++) {
            List<SyncAction.Subscribe> asked = openHistory(relay);
            if (asked.isEmpty()) {
                return found;
            }
            SyncAction.Subscribe next = asked.getFirst();
            if (next.page().filters().stream().anyMatch(filter)) {
                found.add(next);
            }
            eose(next.subscription());
        }
        throw new AssertionError("no end of requests");
    }

    // What it did --------------------------------------------------------------------------------------------------

    List<SyncAction> last() {
        return last;
    }

    <T extends SyncAction> List<T> last(Class<T> type) {
        return last.stream().filter(type::isInstance).map(type::cast).toList();
    }

    <T extends Finding> List<T> found(Class<T> type) {
        return last(SyncAction.Report.class).stream()
                .map(SyncAction.Report::finding)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    List<SyncAction.Subscribe> subscribed(Predicate<Filter> filter) {
        return last(SyncAction.Subscribe.class).stream()
                .filter(subscribe -> subscribe.page().filters().stream().anyMatch(filter))
                .toList();
    }

    List<SyncAction.Subscribe> openHistory(RelayUrl relay) {
        return open.values().stream()
                .filter(subscribe -> subscribe.relay().equals(relay) && subscribe.purpose() != Purpose.LIVE)
                .toList();
    }

    List<SyncAction.Subscribe> openLive(RelayUrl relay) {
        return open.values().stream()
                .filter(subscribe -> subscribe.relay().equals(relay) && subscribe.purpose() == Purpose.LIVE)
                .toList();
    }

    Optional<SyncAction.Subscribe> history(Predicate<Filter> filter) {
        return open.values().stream()
                .filter(subscribe -> subscribe.purpose() != Purpose.LIVE
                        && subscribe.page().filters().stream().anyMatch(filter))
                .findFirst();
    }

    SyncEngine engine() {
        return engine;
    }

    static Predicate<Filter> ofRepo(int repo) {
        return filter ->
                filter.tags().getOrDefault("a", Set.of()).contains(repo(repo).toString());
    }

    static Predicate<Filter> ofRoot(int root) {
        return filter -> filter.tags().getOrDefault("e", Set.of()).contains(id(root).hex());
    }

    static Predicate<Filter> announcements() {
        return filter -> filter.kinds().filter(kinds -> kinds.contains(30617)).isPresent()
                && filter.tags().isEmpty();
    }
}
