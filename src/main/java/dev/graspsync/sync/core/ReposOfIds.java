package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Which repositories an announcement or a root event belongs to, so that a deletion costs what it removes (rule 3). */
final class ReposOfIds {

    /** Nearly always of one, and then the repository's own list: about 50 bytes an event. */
    private final Map<EventId, List<RepoSyncNeeds>> repos = new HashMap<>();

    void add(EventId id, RepoSyncNeeds repo) {
        repos.merge(
                id,
                repo.alone(),
                (known, more) -> known.contains(repo)
                        ? known
                        : Stream.concat(known.stream(), more.stream()).toList());
    }

    void remove(EventId id, RepoSyncNeeds repo) {
        repos.computeIfPresent(id, (same, known) -> {
            List<RepoSyncNeeds> others =
                    known.stream().filter(other -> other != repo).toList();
            return switch (others.size()) {
                case 0 -> null;
                case 1 -> others.getFirst().alone();
                default -> others;
            };
        });
    }

    /** All repositories of an event that is gone. */
    List<RepoSyncNeeds> take(EventId id) {
        List<RepoSyncNeeds> known = repos.remove(id);
        return known == null ? List.of() : known;
    }
}
