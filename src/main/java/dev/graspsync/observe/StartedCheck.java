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
import org.eclipse.microprofile.health.Startup;

/**
 * Started once the store has been read, the embedded relay is read and the sync engine runs; from then on it is for the
 * other checks to say what is wrong.
 */
@Startup
@ApplicationScoped
class StartedCheck implements HealthCheck {

    private final StoreProbe store;
    private final OwnRelayState own;
    private final SyncManager sync;
    private volatile boolean started;

    @Inject
    StartedCheck(Relay relay, SyncManager sync, HealthTracker health) {
        this.store = new StoreProbe(relay.store(), Clock.systemUTC());
        this.own = new OwnRelayState(sync, health);
        this.sync = sync;
    }

    @Override
    public HealthCheckResponse call() {
        if (started) {
            return HealthCheckResponse.named("started").up().build();
        }
        Optional<String> unreadable = store.problem();
        Optional<String> unread = own.embeddedProblem();
        boolean running = !sync.isEnabled() || sync.isRunning();
        started = unreadable.isEmpty() && unread.isEmpty() && running;
        return HealthCheckResponse.named("started")
                .status(started)
                .withData(
                        "store", unreadable.map(why -> "cannot be read: " + why).orElse("open"))
                .withData("own relay", unread.map(why -> "not read yet: " + why).orElse("read"))
                .withData("engine", running ? sync.isEnabled() ? "running" : "off" : "does not run yet")
                .build();
    }
}
