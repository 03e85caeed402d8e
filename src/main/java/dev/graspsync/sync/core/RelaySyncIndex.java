package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All relays that have a place, and who of them is due when. */
final class RelaySyncIndex {

    private final SyncSettings settings;
    private final Map<RelayUrl, RelayState> relays = new LinkedHashMap<>();
    private final TreeSet<RelayState> byDue =
            new TreeSet<>(Comparator.comparing((RelayState relay) -> relay.due).thenComparing(relay -> relay.url));
    private final RelaySlots slots;
    /** Of relays without a place: what an earlier run knew of them, or of what they were like before they gave way. */
    private final Map<RelayUrl, RelayRecord> remembered = new LinkedHashMap<>();

    private boolean drained;

    RelaySyncIndex(SyncSettings settings) {
        this.settings = settings;
        this.slots = new RelaySlots(settings);
    }

    @Nullable
    RelayState get(RelayUrl url) {
        return relays.get(url);
    }

    Collection<RelayState> all() {
        return relays.values();
    }

    void recall(RelayRecord record) {
        remembered.put(record.relay(), record);
    }

    RelayState add(RelayUrl url, Turn turn) {
        RelayState relay = new RelayState(
                url,
                settings.relays().bootstrap().contains(url)
                        || settings.relays().namedByAll().contains(url),
                RelayBudget.initial(settings.budgets().tagsPerFilter()),
                turn.now());
        RelayRecord record = remembered.remove(url);
        if (record != null) {
            relay.recall(record, drained ? Instant.MIN : turn.now().plus(Recollection.PATIENCE));
        }
        relay.wanted.add(relay.announcements, turn.now());
        relays.put(url, relay);
        return relay;
    }

    /** The own relay has been read: what is wanted is known, and so is what of it had been confirmed before a start. */
    void recollect(Consumer<RelayState> touched, Turn turn) {
        if (!drained) {
            drained = true;
            relays.values().forEach(Recollection::restore);
            relays.values().forEach(touched);
            List.copyOf(remembered.keySet()).forEach(url -> forgetUnlessNamed(url, turn));
        }
    }

    /** Of a relay without a place, as soon as it is clear that nobody names it. */
    private void forgetUnlessNamed(RelayUrl url, Turn turn) {
        if (drained && !slots.isLeftOut(url) && remembered.remove(url) != null) {
            turn.act(new SyncAction.Forget(url));
        }
    }

    /** A repository names this relay. Null where there is no place for it. */
    @Nullable
    RelayState name(RelayUrl url, RepoSyncNeeds repo, Turn turn) {
        RelayState relay = relays.get(url);
        if (relay == null) {
            Optional<String> refusal = slots.refusal(relays.size(), repo);
            if (refusal.isPresent()) {
                if (slots.leaveOut(url, repo)) {
                    turn.report(url, new Finding.LeftOut(refusal.get()));
                }
                return null;
            }
            relay = add(url, turn);
            slots.claim(url, repo);
            for (RepoSyncNeeds waiting : slots.take(url)) {
                attach(relay, waiting, turn);
            }
        }
        attach(relay, repo, turn);
        return relay;
    }

    private static void attach(RelayState relay, RepoSyncNeeds repo, Turn turn) {
        RepoAtRelay added = new RepoAtRelay(repo, relay.count().changed());
        added.changed();
        relay.repos.put(repo, added);
        relay.wanted.add(added, turn.now());
        relay.live.uncovered().add(added);
        relay.complete = false;
    }

    void unname(RelayUrl url, RepoSyncNeeds repo, Turn turn) {
        slots.forget(url, repo);
        forgetUnlessNamed(url, turn);
        RelayState relay = relays.get(url);
        if (relay != null && detach(relay, repo)) {
            if (relay.repos.isEmpty()) {
                relay.emptySince = turn.now();
            } else if (slots.isClaimedBy(url, repo)) {
                slots.claim(url, relay.repos.keySet().iterator().next());
            }
        }
    }

    private static boolean detach(RelayState relay, RepoSyncNeeds repo) {
        RepoAtRelay removed = relay.repos.remove(repo);
        if (removed == null) {
            return false;
        }
        removed.remove();
        relay.count().remove(removed);
        relay.wanted.remove(removed);
        relay.live.uncovered().remove(removed);
        return true;
    }

    /** Removes a relay for good, and gives its place to one that was left out. */
    void remove(RelayState relay, Consumer<RelayState> placed, Turn turn) {
        drop(relay);
        fill(placed, turn);
    }

    private void drop(RelayState relay) {
        relays.remove(relay.url);
        byDue.remove(relay);
        slots.release(relay.url);
    }

    private void fill(Consumer<RelayState> placed, Turn turn) {
        while (relays.size() < settings.places().all()) {
            Optional<RelayUrl> next = slots.next(relays.size(), url -> isWorthwhile(url, turn));
            if (next.isEmpty()) {
                return;
            }
            RelayState added = add(next.get(), turn);
            Set<RepoSyncNeeds> waiting = slots.take(next.get());
            waiting.stream()
                    .filter(repo -> slots.refusal(relays.size() - 1, repo).isEmpty())
                    .findFirst()
                    .ifPresent(repo -> slots.claim(next.get(), repo));
            waiting.forEach(repo -> attach(added, repo, turn));
            schedule(added, turn.now());
            placed.accept(added);
        }
    }

    /** Whether it would be connected to now: one that gave way does so when its next attempt is due. */
    private boolean isWorthwhile(RelayUrl url, Turn turn) {
        RelayRecord record = remembered.get(url);
        return record == null
                || record.nextAttempt().filter(turn.now()::isBefore).isEmpty();
    }

    /**
     * A dead relay makes room for one that has none, and waits in its stead until its next attempt is due. Returns the
     * repositories that name it; none where nobody waits.
     */
    Set<RepoSyncNeeds> giveWay(RelayState dead, Consumer<RelayState> placed, Turn turn) {
        if (slots.next(relays.size() - 1, url -> isWorthwhile(url, turn)).isEmpty()) {
            return Set.of();
        }
        drop(dead);
        remembered.put(dead.url, dead.record(turn).withoutSynced());
        Set<RepoSyncNeeds> naming = new LinkedHashSet<>(dead.repos.keySet());
        for (RepoSyncNeeds repo : naming) {
            detach(dead, repo);
            slots.leaveOut(dead.url, repo);
        }
        turn.report(dead.url, new Finding.LeftOut("it is dead, and another waits for its place"));
        fill(placed, turn);
        return naming;
    }

    void schedule(RelayState relay, Instant due) {
        byDue.remove(relay);
        relay.due = due;
        if (!due.equals(Instant.MAX) && relays.get(relay.url) == relay) {
            byDue.add(relay);
        }
    }

    List<RelayState> due(Instant now) {
        List<RelayState> due = new ArrayList<>();
        for (RelayState relay : byDue) {
            if (relay.due.isAfter(now)) {
                break;
            }
            due.add(relay);
        }
        return due;
    }

    /** How many relays are named and got no place. */
    int leftOut() {
        return slots.waiting();
    }

    Instant nextDue() {
        return byDue.isEmpty() ? Instant.MAX : byDue.first().due;
    }
}
