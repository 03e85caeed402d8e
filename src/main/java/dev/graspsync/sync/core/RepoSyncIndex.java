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

    /** Of one repository: whoever writes its root events chooses what they name. */
    static final int MOST_NAMED_BY_ROOTS = 5_000;
    /** Its announcement's maintainers find room beside those. */
    private static final int MOST_NAMED_BY_ALL = 6_000;

    private final SyncSettings settings;
    private final Map<RepoAddress, RepoSyncNeeds> repos = new LinkedHashMap<>();
    private final ReposOfIds reposOfIds = new ReposOfIds();
    private final OrphanRoots orphans = new OrphanRoots();

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
        RepoSyncNeeds known = repos.get(announced.repo());
        if (known != null && !known.isOutrankedBy(announced)) {
            return;
        }
        RepoSyncNeeds repo = known == null ? begin(announced) : known;
        repo.seenInDrain(drain);
        if (known == null || !repo.announcement().equals(announced.id())) {
            reposOfIds.remove(repo.announcement(), repo);
            reposOfIds.add(announced.id(), repo);
            announced
                    .expires()
                    .ifPresent(at -> expiring.computeIfAbsent(at, none -> new ArrayList<>(1))
                            .add(new Removed.Event(announced.id())));
        }
        Set<RelayUrl> before = repo.relays();
        Set<RelayUrl> after = relaysOf(announced);
        boolean grown = repo.addNamed(named(announced.references()), MOST_NAMED_BY_ALL);
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
        if (grown && known != null) {
            targets.grown(repo);
        }
        targets.changed(repo);
    }

    private RepoSyncNeeds begin(Announced announced) {
        RepoSyncNeeds repo = RepoSyncNeeds.of(announced.repo(), announced.id(), announced.createdAt());
        repos.put(announced.repo(), repo);
        orphans.take(announced.repo()).forEach((root, named) -> {
            add(root, repo);
            repo.addNamed(named, MOST_NAMED_BY_ROOTS);
        });
        return repo;
    }

    private boolean add(EventId root, RepoSyncNeeds repo) {
        boolean added = repo.add(new Item.Root(root));
        if (added) {
            reposOfIds.add(root, repo);
        }
        return added;
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

    private static List<Item> named(List<Reference> references) {
        List<Item> items = new ArrayList<>(references.size());
        references.forEach(reference -> items.add(new Item.Named(reference)));
        return items;
    }

    /** Attaches a root event to every repository it tags; returns those that grew. */
    void root(Rooted root, Set<RepoSyncNeeds> grown) {
        List<Item> named = named(root.references());
        for (RepoAddress address : root.repos()) {
            RepoSyncNeeds repo = repos.get(address);
            if (repo == null) {
                orphans.add(root.id(), address, named);
            } else if (add(root.id(), repo) | repo.addNamed(named, MOST_NAMED_BY_ROOTS)) {
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
        for (RepoSyncNeeds repo : reposOfIds.take(id)) {
            if (repo.announcement().equals(id)) {
                remove(repo.address(), repo, targets);
            } else if (repo.remove(new Item.Root(id))) {
                targets.changed(repo);
            }
        }
        orphans.remove(id);
    }

    private void remove(RepoAddress address, RepoSyncNeeds repo, Targets targets) {
        repos.remove(address);
        reposOfIds.remove(repo.announcement(), repo);
        for (EventId root : repo.rootIds()) {
            reposOfIds.remove(root, repo);
            orphans.add(root, address, List.of());
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
        repos.values().forEach(RepoSyncNeeds::forgetSeen);
    }

    /** What the own relay did not show since {@link #beginDrain} is gone from it. */
    void endDrain(Targets targets) {
        drained = true;
        for (RepoSyncNeeds repo : List.copyOf(repos.values())) {
            List<EventId> unseen = drain == 0 ? List.of() : repo.unseenRoots();
            unseen.forEach(root -> {
                repo.remove(new Item.Root(root));
                reposOfIds.remove(root, repo);
            });
            if (repo.seenInDrain() < drain) {
                remove(repo.address(), repo, targets);
            } else if (!unseen.isEmpty()) {
                targets.changed(repo);
            }
        }
    }

    void check() {
        orphans.check();
    }
}
