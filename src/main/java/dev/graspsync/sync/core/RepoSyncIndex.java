package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.sync.core.SyncInput.Announced;
import dev.graspsync.sync.core.SyncInput.Removed;
import dev.graspsync.sync.core.SyncInput.Rooted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is wanted: the hosted repositories with their relays and root events, as the own relay shows them (rule 1). */
final class RepoSyncIndex {

    private final SyncSettings settings;
    private final Map<RepoAddress, RepoSyncNeeds> repos = new LinkedHashMap<>();
    /** Root events whose repository is not (or no longer) known: they wait and never create a target (rule 2). */
    private final Map<RepoAddress, Set<Item>> orphans = new HashMap<>();

    private final NavigableMap<Instant, List<Removed.Event>> expiring = new TreeMap<>();
    private long drain;
    private boolean drained;

    RepoSyncIndex(SyncSettings settings) {
        this.settings = settings;
    }

    /** What a change of the wanted means for the relays. */
    interface Targets {

        /** The relay is named by the repository from now on. */
        void named(RelayUrl relay, RepoSyncNeeds repo);

        /** It no longer is. */
        void unnamed(RelayUrl relay, RepoSyncNeeds repo);

        /** Something about the repository is to be seen anew. */
        void changed(RepoSyncNeeds repo);

        /** The repository has new items. */
        void grown(RepoSyncNeeds repo);
    }

    int size() {
        return repos.size();
    }

    void announce(Announced announced, Targets targets) {
        RepoSyncNeeds repo = repos.get(announced.repo());
        boolean isNew = repo == null;
        if (repo == null) {
            repo = RepoSyncNeeds.of(announced.repo(), announced.id(), announced.createdAt());
            repos.put(announced.repo(), repo);
            removeOrphans(announced.repo()).forEach(repo::add);
        } else if (!repo.isOutrankedBy(announced)) {
            return;
        }
        repo.seenInDrain(drain);
        announced
                .expires()
                .ifPresent(at -> expiring.computeIfAbsent(at, none -> new ArrayList<>(1))
                        .add(new Removed.Event(announced.id())));
        Set<RelayUrl> before = repo.relays();
        Set<RelayUrl> after = relaysOf(announced);
        boolean grown = addReferences(repo, announced.references());
        repo.announce(announced.id(), announced.createdAt(), after);
        for (RelayUrl relay : before) {
            if (!after.contains(relay)) {
                targets.unnamed(relay, repo);
            }
        }
        for (RelayUrl relay : after) {
            if (!before.contains(relay)) {
                targets.named(relay, repo);
            }
        }
        if (grown && !isNew) {
            targets.grown(repo);
        }
        targets.changed(repo);
    }

    private Set<RelayUrl> relaysOf(Announced announced) {
        Set<RelayUrl> relays = new LinkedHashSet<>(settings.relays().namedByAll());
        for (RelayUrl relay : announced.relays()) {
            if (relays.size() < settings.places().perRepo()
                    && !settings.relays().own().contains(relay)) {
                relays.add(relay);
            }
        }
        return relays;
    }

    private static boolean addReferences(RepoSyncNeeds repo, List<Reference> references) {
        boolean grown = false;
        for (Reference reference : references) {
            grown |= repo.add(new Item.Named(reference));
        }
        return grown;
    }

    /** Attaches a root event to every repository it tags; returns those that grew. */
    void root(Rooted root, Set<RepoSyncNeeds> grown) {
        for (RepoAddress address : root.repos()) {
            RepoSyncNeeds repo = repos.get(address);
            if (repo == null) {
                Set<Item> waiting = orphans.computeIfAbsent(address, none -> new LinkedHashSet<>());
                waiting.add(new Item.Root(root.id()));
                root.references().forEach(reference -> waiting.add(new Item.Named(reference)));
                continue;
            }
            boolean added = repo.add(new Item.Root(root.id()));
            added |= addReferences(repo, root.references());
            if (added) {
                grown.add(repo);
            }
        }
    }

    void remove(Removed removed, Targets targets) {
        switch (removed) {
            case Removed.Repo(RepoAddress address, long upTo) -> {
                RepoSyncNeeds repo = repos.get(address);
                if (repo != null && repo.createdAt() <= upTo) {
                    remove(address, repo, targets);
                }
            }
            case Removed.Event(EventId id) -> removeEvent(id, targets);
        }
    }

    private void removeEvent(EventId id, Targets targets) {
        Item.Root root = new Item.Root(id);
        for (Map.Entry<RepoAddress, RepoSyncNeeds> entry : List.copyOf(repos.entrySet())) {
            if (entry.getValue().announcement().equals(id)) {
                remove(entry.getKey(), entry.getValue(), targets);
            } else if (entry.getValue().remove(root)) {
                targets.changed(entry.getValue());
            }
        }
        orphans.values().forEach(waiting -> waiting.remove(root));
    }

    private void remove(RepoAddress address, RepoSyncNeeds repo, Targets targets) {
        repos.remove(address);
        Set<Item> roots = repo.rootsAndNamed();
        if (!roots.isEmpty()) {
            orphans.computeIfAbsent(address, none -> new LinkedHashSet<>()).addAll(roots);
        }
        repo.relays().forEach(relay -> targets.unnamed(relay, repo));
        targets.changed(repo);
    }

    @Nullable
    RepoSyncNeeds get(RepoAddress address) {
        return repos.get(address);
    }

    Collection<RepoSyncNeeds> all() {
        return repos.values();
    }

    /** Whether the own relay has been read to its end. */
    boolean isDrained() {
        return drained;
    }

    private Set<Item> removeOrphans(RepoAddress address) {
        Set<Item> waiting = orphans.remove(address);
        return waiting == null ? Set.of() : waiting;
    }

    void removeExpired(Instant now, Targets targets) {
        while (!expiring.isEmpty() && !expiring.firstKey().isAfter(now)) {
            expiring.pollFirstEntry().getValue().forEach(removed -> remove(removed, targets));
        }
    }

    @Nullable
    Instant nextExpiry() {
        return expiring.isEmpty() ? null : expiring.firstKey();
    }

    void beginDrain() {
        drain++;
    }

    /** What the own relay did not show since {@link #beginDrain} is gone from it. */
    void endDrain(Targets targets) {
        drained = true;
        for (Map.Entry<RepoAddress, RepoSyncNeeds> entry : List.copyOf(repos.entrySet())) {
            if (entry.getValue().seenInDrain() < drain) {
                remove(entry.getKey(), entry.getValue(), targets);
            }
        }
    }
}
