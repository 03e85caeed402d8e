package dev.graspsync.sync.core;

import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Who may have a relay connected to, where there is not room for all, and who waits (rule 26). */
final class RelaySlots {

    private final SyncSettings settings;
    private final Map<RelayUrl, Set<RepoSyncNeeds>> leftOut = new LinkedHashMap<>();
    private final Map<RelayUrl, PublicKey> claimedBy = new HashMap<>();
    private final Map<PublicKey, Integer> claims = new HashMap<>();

    RelaySlots(SyncSettings settings) {
        this.settings = settings;
    }

    /** Why a repository may not bring one more relay; empty where it may. */
    Optional<String> refusal(int taken, RepoSyncNeeds repo) {
        if (taken >= settings.places().all()) {
            return Optional.of("the limit of " + settings.places().all() + " relays is reached");
        }
        boolean scarce = 2 * taken >= settings.places().all();
        return scarce
                        && claims.getOrDefault(repo.author(), 0)
                                >= settings.places().perAuthor()
                ? Optional.of("the author of " + repo.address() + " has brought "
                        + settings.places().perAuthor() + " relays already")
                : Optional.empty();
    }

    /** Notes who brought a relay; whoever did before no longer counts. */
    void claim(RelayUrl relay, RepoSyncNeeds by) {
        release(relay);
        claimedBy.put(relay, by.author());
        claims.merge(by.author(), 1, Integer::sum);
    }

    boolean isClaimedBy(RelayUrl relay, RepoSyncNeeds repo) {
        return repo.author().equals(claimedBy.get(relay));
    }

    void release(RelayUrl relay) {
        PublicKey author = claimedBy.remove(relay);
        if (author != null) {
            claims.computeIfPresent(author, (key, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Whether nobody waited for this relay before. */
    boolean leaveOut(RelayUrl relay, RepoSyncNeeds repo) {
        boolean isNew = !leftOut.containsKey(relay);
        leftOut.computeIfAbsent(relay, none -> new LinkedHashSet<>()).add(repo);
        return isNew;
    }

    boolean isLeftOut(RelayUrl relay) {
        return leftOut.containsKey(relay);
    }

    void forget(RelayUrl relay, RepoSyncNeeds repo) {
        leftOut.computeIfPresent(relay, (url, waiting) -> {
            waiting.remove(repo);
            return waiting.isEmpty() ? null : waiting;
        });
    }

    /** The repositories that waited for a relay; they no longer do. */
    Set<RepoSyncNeeds> take(RelayUrl relay) {
        Set<RepoSyncNeeds> waiting = leftOut.remove(relay);
        return waiting == null ? Set.of() : waiting;
    }

    /** Who has waited longest of those that may come. */
    Optional<RelayUrl> next(int taken, Predicate<RelayUrl> isWorthwhile) {
        return leftOut.entrySet().stream()
                .filter(entry -> isWorthwhile.test(entry.getKey())
                        && entry.getValue().stream()
                                .anyMatch(repo -> refusal(taken, repo).isEmpty()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    int waiting() {
        return leftOut.size();
    }
}
