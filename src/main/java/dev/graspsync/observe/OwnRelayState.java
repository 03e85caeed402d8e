package dev.graspsync.observe;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.HealthTracker;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.sync.core.RelayView;
import java.util.Optional;

/** Whether the own relay is reached: the embedded one, and in sidecar mode also the one that is kept complete. */
record OwnRelayState(SyncManager sync, HealthTracker health) {

    /** Why it is not; empty where it is. */
    Optional<String> problem() {
        if (!sync.isEnabled()) {
            return Optional.empty();
        }
        return embeddedProblem().or(() -> sync.sidecarOf().flatMap(this::problemOf));
    }

    /** Everything that is wanted is read from the embedded relay. */
    Optional<String> embeddedProblem() {
        if (!sync.isEnabled() || sync.isOwnRelayRead()) {
            return Optional.empty();
        }
        return Optional.of(sync.ownRelayProblem().orElse("it is being connected to"));
    }

    private Optional<String> problemOf(RelayUrl own) {
        if (health.counted(own).isConnected()) {
            return Optional.empty();
        }
        return Optional.of(sync.view()
                .relay(own)
                .flatMap(RelayView::why)
                .map(why -> own + ": " + why.text())
                .orElse(own + " is being connected to"));
    }
}
