package dev.graspsync.observe;

import dev.graspsync.relay.Relay;
import dev.graspsync.sync.HealthTracker;
import dev.graspsync.sync.SyncManager;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready when the store can be read and the own relay is reached. Relays elsewhere play no part. */
@Readiness
@ApplicationScoped
class ServingCheck implements HealthCheck {

    private final Relay relay;
    private final SyncManager sync;
    private final HealthTracker health;

    @Inject
    ServingCheck(Relay relay, SyncManager sync, HealthTracker health) {
        this.relay = relay;
        this.sync = sync;
        this.health = health;
    }

    @Override
    public HealthCheckResponse call() {
        boolean open = isStoreOpen();
        boolean reached = isOwnRelayReached();
        return HealthCheckResponse.named("serving")
                .status(open && reached)
                .withData("store", store(open))
                .withData("own relay", reached ? "reached" : "not reached: see the log for the reason")
                .build();
    }

    /** What is here is served also while nothing can be written. */
    private String store(boolean open) {
        if (!open) {
            return "cannot be read: see the log";
        }
        return relay.ingest().isStoreFailing() ? "open, but refuses events: is the disk full?" : "open";
    }

    private boolean isStoreOpen() {
        try {
            return relay.store().lastSeq() >= 0;
        } catch (RuntimeException closed) {
            return false;
        }
    }

    private boolean isOwnRelayReached() {
        return !sync.isEnabled()
                || sync.isOwnRelayRead()
                        && sync.sidecarOf()
                                .map(own -> health.counted(own).isConnected())
                                .orElse(true);
    }
}
