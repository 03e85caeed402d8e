package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Lets tests outside the package look at what the engine holds. */
public final class EngineProbe {

    private EngineProbe() {}

    public static Optional<RelayBudget> budget(SyncEngine engine, RelayUrl relay) {
        return engine.budget(relay);
    }

    /** What a relay that insists on kinds is asked for. */
    public static Set<Integer> namedKinds() {
        return Set.copyOf(LayerFilters.KINDS);
    }

    /** What observers see must be what is there. */
    public static void checkView(SyncEngine engine, Instant now) {
        engine.checkView(now);
    }

    public static void checkInvariants(SyncEngine engine) {
        engine.checkInvariants();
    }
}
