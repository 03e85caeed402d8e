package dev.graspsync.observe;

import dev.graspsync.relay.Relay;
import dev.graspsync.sync.SyncManager;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.function.Supplier;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Alive as long as the sync engine's loop and the writer come round. Neither waits for other relays, so none of them can
 * make the service look dead.
 */
@Liveness
@ApplicationScoped
class ProgressCheck implements HealthCheck {

    /** A batch of thousands of events on a slow disk takes seconds. */
    private static final Duration STUCK = Duration.ofMinutes(2);

    private final Supplier<Duration> writerSilence;
    private final Supplier<Duration> engineSilence;
    private final boolean syncing;

    @Inject
    ProgressCheck(Relay relay, SyncManager sync) {
        this(relay.ingest()::writerSilence, sync::engineSilence, sync.isEnabled());
    }

    /** @param syncing whether there is an engine */
    ProgressCheck(Supplier<Duration> writerSilence, Supplier<Duration> engineSilence, boolean syncing) {
        this.writerSilence = writerSilence;
        this.engineSilence = engineSilence;
        this.syncing = syncing;
    }

    @Override
    public HealthCheckResponse call() {
        Duration writer = writerSilence.get();
        Duration engine = syncing ? engineSilence.get() : Duration.ZERO;
        return HealthCheckResponse.named("progress")
                .status(writer.compareTo(STUCK) < 0 && engine.compareTo(STUCK) < 0)
                .withData("writer", said(writer))
                .withData("engine", syncing ? said(engine) : "off: grasp.sync.enabled is false")
                .build();
    }

    private static String said(Duration silence) {
        return silence.compareTo(STUCK) < 0
                ? "running"
                : "has made no progress for " + silence.toSeconds() + " s: take a thread dump and restart";
    }
}
