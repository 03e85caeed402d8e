package dev.graspsync.sync.core;

import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A relay's items counted, by looking only at repositories that changed since the last time. */
final class RelayCount {

    private final Set<RepoAtRelay> changed = new LinkedHashSet<>();
    private final Map<Layer, LastOutcome> last = new EnumMap<>(Layer.class);
    private Tally tally = Tally.NONE;

    Set<RepoAtRelay> changed() {
        return changed;
    }

    void ended(PendingBatch batch, LastOutcome outcome) {
        batch.layers().forEach(layer -> last.put(layer, outcome));
        batch.slices().forEach(slice -> slice.repo().ended(outcome));
    }

    Optional<LastOutcome> last(Layer layer) {
        return Optional.ofNullable(last.get(layer));
    }

    /** Nobody asks this relay about it any more. */
    void remove(RepoAtRelay repo) {
        changed.remove(repo);
        tally = tally.minus(repo.counted());
        repo.repo().counted(Count.NONE.minus(repo.counted().sum()));
    }

    /** @param seen told of each repository whose numbers are others now */
    Tally recount(RepoAtRelay announcements, Consumer<RepoSyncNeeds> seen) {
        changed.remove(announcements);
        for (RepoAtRelay repo : changed) {
            Tally more = repo.recount();
            tally = tally.plus(more);
            repo.repo().counted(more.sum());
            seen.accept(repo.repo());
        }
        changed.clear();
        return tally;
    }
}
