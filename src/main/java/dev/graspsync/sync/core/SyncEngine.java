package dev.graspsync.sync.core;

import java.time.Instant;
import java.util.List;

/** Takes what happened and says what to do: one exhaustive switch, no waiting, no side effects. */
public final class SyncEngine {

    private final SyncSettings settings;
    private final long seed;

    /** @param seed where jitter comes from; the same seed and inputs give the same actions */
    public SyncEngine(SyncSettings settings, long seed) {
        this.settings = settings;
        this.seed = seed;
    }

    public List<SyncAction> step(SyncInput input) {
        return List.of();
    }

    /** When the next {@link SyncInput.Tick} is worth giving; {@link Instant#MAX} if nothing is due. */
    public Instant nextDue() {
        return Instant.MAX;
    }
}
