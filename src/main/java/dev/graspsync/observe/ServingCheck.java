package dev.graspsync.observe;

import dev.graspsync.relay.Relay;
import dev.graspsync.sync.HealthTracker;
import dev.graspsync.sync.SyncManager;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready when the store can be read and the own relay is reached. Relays elsewhere play no part. */
@Readiness
@ApplicationScoped
class ServingCheck implements HealthCheck {

    private final Relay relay;
    private final StoreProbe store;
    private final OwnRelayState own;

    @Inject
    ServingCheck(Relay relay, SyncManager sync, HealthTracker health) {
        this.relay = relay;
        this.store = new StoreProbe(relay.store(), Clock.systemUTC());
        this.own = new OwnRelayState(sync, health);
    }

    @Override
    public HealthCheckResponse call() {
        Optional<String> unreadable = store.problem();
        Optional<String> unreached = own.problem();
        return HealthCheckResponse.named("serving")
                .status(unreadable.isEmpty() && unreached.isEmpty())
                .withData(
                        "store", unreadable.map(why -> "cannot be read: " + why).orElseGet(this::store))
                .withData(
                        "own relay", unreached.map(why -> "not reached: " + why).orElse("reached"))
                .build();
    }

    /** What is here is served also while nothing can be written. */
    private String store() {
        return relay.ingest().isStoreFailing() ? "open, but refuses events: is the disk full?" : "open";
    }
}
