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
 * writes them need not have a repository here, so only their ids are kept, and the oldest give way; when the own relay is
 * read the next time they are found again.
 */
final class OrphanRoots {

    /** A root event counts once for each repository it waits for; one takes about 200 bytes. */
    static final int MOST = 50_000;

    private final Map<RepoAddress, Set<EventId>> byRepo = new HashMap<>();
    /** The oldest first. */
    private final Map<EventId, List<RepoAddress>> byId = new LinkedHashMap<>();

    private int size;

    void add(EventId root, RepoAddress repo) {
        if (byRepo.computeIfAbsent(repo, none -> new LinkedHashSet<>(2)).add(root)) {
            byId.computeIfAbsent(root, none -> new ArrayList<>(1)).add(repo);
            size++;
        }
        while (size > MOST) {
            remove(byId.keySet().iterator().next());
        }
    }

    /** Those that waited for this repository, and do so no longer. */
    Set<EventId> take(RepoAddress repo) {
        Set<EventId> waiting = byRepo.remove(repo);
        if (waiting == null) {
            return Set.of();
        }
        for (EventId root : waiting) {
            List<RepoAddress> others = byId.get(root);
            if (others != null && others.remove(repo) && others.isEmpty()) {
                byId.remove(root);
            }
        }
        size -= waiting.size();
        return waiting;
    }

    void remove(EventId root) {
        List<RepoAddress> waited = byId.remove(root);
        if (waited == null) {
            return;
        }
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
        if (size > MOST || byRepo.values().stream().mapToInt(Set::size).sum() != size) {
            throw new IllegalStateException(size + " root events wait for their repository");
        }
    }
}
