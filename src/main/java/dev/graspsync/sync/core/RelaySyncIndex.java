package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All relays, who is due when, and those for which there is no room (rule 26). */
final class RelaySyncIndex {

    private final SyncSettings settings;
    private final Map<RelayUrl, RelayState> relays = new LinkedHashMap<>();
    private final TreeSet<RelayState> byDue =
            new TreeSet<>(Comparator.comparing((RelayState relay) -> relay.due).thenComparing(relay -> relay.url));
    private final Map<RelayUrl, Set<RepoSyncNeeds>> leftOut = new LinkedHashMap<>();
    private final Map<RelayUrl, RelayRecord> remembered = new HashMap<>();
    private boolean drained;

    RelaySyncIndex(SyncSettings settings) {
        this.settings = settings;
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
                settings.bootstrapRelays().contains(url)
                        || settings.namedByAll().contains(url),
                RelayBudget.initial(settings.tagsPerFilter()),
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
    void recollect(Consumer<RelayState> touched) {
        if (!drained) {
            drained = true;
            relays.values().forEach(Recollection::restore);
            relays.values().forEach(touched);
        }
    }

    /** A repository names this relay. Null where there are too many relays already. */
    @Nullable
    RelayState name(RelayUrl url, RepoSyncNeeds repo, Turn turn) {
        RelayState relay = relays.get(url);
        if (relay == null && relays.size() >= settings.maxRelays()) {
            if (!leftOut.containsKey(url)) {
                turn.report(url, new Finding.LeftOut("the limit of " + settings.maxRelays() + " relays is reached"));
            }
            leftOut.computeIfAbsent(url, none -> new LinkedHashSet<>()).add(repo);
            return null;
        }
        if (relay == null) {
            relay = add(url, turn);
        }
        RepoAtRelay added = new RepoAtRelay(repo, relay.count().changed());
        added.changed();
        relay.repos.put(repo, added);
        relay.wanted.add(added, turn.now());
        relay.live.uncovered().add(added);
        relay.complete = false;
        return relay;
    }

    void unname(RelayUrl url, RepoSyncNeeds repo, Turn turn) {
        Set<RepoSyncNeeds> waiting = leftOut.get(url);
        if (waiting != null) {
            waiting.remove(repo);
            if (waiting.isEmpty()) {
                leftOut.remove(url);
            }
        }
        RelayState relay = relays.get(url);
        RepoAtRelay removed = relay == null ? null : relay.repos.remove(repo);
        if (relay != null && removed != null) {
            removed.remove();
            relay.count().remove(removed);
            relay.wanted.remove(removed);
            relay.live.uncovered().remove(removed);
            if (relay.repos.isEmpty()) {
                relay.emptySince = turn.now();
            }
        }
    }

    /** Removes a relay for good, and gives its place to one that was left out. */
    void remove(RelayState relay, Turn turn) {
        relays.remove(relay.url);
        byDue.remove(relay);
        if (leftOut.isEmpty() || relays.size() >= settings.maxRelays()) {
            return;
        }
        RelayUrl next = leftOut.keySet().iterator().next();
        Set<RepoSyncNeeds> naming = leftOut.remove(next);
        for (RepoSyncNeeds repo : naming == null ? Set.<RepoSyncNeeds>of() : naming) {
            RelayState added = name(next, repo, turn);
            if (added != null) {
                schedule(added, turn.now());
            }
        }
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
        return leftOut.size();
    }

    Instant nextDue() {
        return byDue.isEmpty() ? Instant.MAX : byDue.first().due;
    }
}
