package dev.graspsync.sync.core;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The repositories of a relay that have wanted items: those to ask for now, and those to ask for later. */
final class WantedQueue {

    private final Set<RepoAtRelay> ready = new LinkedHashSet<>();
    private final NavigableMap<Instant, Set<RepoAtRelay>> later = new TreeMap<>();

    void add(RepoAtRelay repo, Instant now) {
        repo.release(now);
        if (repo.hasWanted()) {
            ready.add(repo);
        }
        Instant release = repo.nextRelease();
        if (release != null) {
            later.computeIfAbsent(release, none -> new LinkedHashSet<>()).add(repo);
        }
    }

    /** Brings forward what has become due. */
    void wake(Instant now) {
        while (!later.isEmpty() && !later.firstKey().isAfter(now)) {
            for (RepoAtRelay repo : later.pollFirstEntry().getValue()) {
                if (!repo.isRemoved()) {
                    add(repo, now);
                }
            }
        }
    }

    Set<RepoAtRelay> ready() {
        return ready;
    }

    boolean isEmpty() {
        return ready.isEmpty() && later.isEmpty();
    }

    void remove(RepoAtRelay repo) {
        ready.remove(repo);
    }

    void clear() {
        ready.clear();
        later.clear();
    }

    @Nullable
    Instant nextDue() {
        return later.isEmpty() ? null : later.firstKey();
    }
}
