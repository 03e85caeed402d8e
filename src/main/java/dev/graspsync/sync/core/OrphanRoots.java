package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RepoAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Root events whose repository is not (or no longer) known: they wait for it, and never create a target (rule 2). Whoever
 * writes them need not have a repository here, so only so many are kept, and the oldest give way; of what they name some
 * is kept too. When the own relay is read the next time they are found again, with all they name.
 */
final class OrphanRoots {

    /** A root event counts once for each repository it waits for; one takes about 200 bytes. */
    static final int MOST = 50_000;

    /** What they name, of all together. */
    static final int MOST_NAMED = 20_000;

    private final Map<RepoAddress, Set<EventId>> byRepo = new HashMap<>();
    /** The oldest first. */
    private final Map<EventId, List<RepoAddress>> byId = new LinkedHashMap<>();

    private final Map<EventId, List<Item>> namedBy = new HashMap<>();
    private int size;
    private int named;

    /** @param more what the root event names */
    void add(EventId root, RepoAddress repo, List<Item> more) {
        if (!more.isEmpty() && named + more.size() <= MOST_NAMED && namedBy.putIfAbsent(root, more) == null) {
            named += more.size();
        }
        if (byRepo.computeIfAbsent(repo, none -> new LinkedHashSet<>(2)).add(root)) {
            byId.computeIfAbsent(root, none -> new ArrayList<>(1)).add(repo);
            size++;
        }
        while (size > MOST) {
            remove(byId.keySet().iterator().next());
        }
    }

    /** Those that waited for this repository, and do so no longer, with what they name. */
    Map<EventId, List<Item>> take(RepoAddress repo) {
        Set<EventId> waiting = byRepo.remove(repo);
        if (waiting == null) {
            return Map.of();
        }
        Map<EventId, List<Item>> taken = new LinkedHashMap<>();
        for (EventId root : waiting) {
            taken.put(root, namedBy.getOrDefault(root, List.of()));
            List<RepoAddress> others = byId.get(root);
            if (others != null && others.remove(repo) && others.isEmpty()) {
                byId.remove(root);
                forgetNamed(root);
            }
        }
        size -= waiting.size();
        return taken;
    }

    private void forgetNamed(EventId root) {
        List<Item> forgotten = namedBy.remove(root);
        named -= forgotten == null ? 0 : forgotten.size();
    }

    void remove(EventId root) {
        List<RepoAddress> waited = byId.remove(root);
        if (waited == null) {
            return;
        }
        forgetNamed(root);
        size -= waited.size();
        for (RepoAddress repo : waited) {
            Set<EventId> others = byRepo.get(repo);
            if (others != null && others.remove(root) && others.isEmpty()) {
                byRepo.remove(repo);
            }
        }
    }

    int size() {
        return size;
    }

    void check() {
        if (named > MOST_NAMED || namedBy.values().stream().mapToInt(List::size).sum() != named) {
            throw new IllegalStateException(named + " things are named by root events that wait");
        }
        if (size > MOST || byRepo.values().stream().mapToInt(Set::size).sum() != size) {
            throw new IllegalStateException(size + " root events wait for their repository");
        }
    }
}
