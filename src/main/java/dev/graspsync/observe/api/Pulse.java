package dev.graspsync.observe.api;

import dev.graspsync.relay.IngestCounters;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.Provenance.Way;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.sync.core.EngineView;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Looks once a second at how far everything is: how fast it goes, and a line now and then while the first sync lasts. */
@ApplicationScoped
class Pulse {

    private static final Logger LOG = Logger.getLogger(Pulse.class);
    private static final Duration SPOKEN = Duration.ofSeconds(30);
    private static final int STORED = 5;
    private static final int CONFIRMED = 30;

    private final IngestCounters ingest;
    private final SyncManager sync;
    private final Pace stored = new Pace(STORED);
    private final Pace confirmed = new Pace(CONFIRMED);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Instant startedAt = Instant.now();
    private Instant spokenAt = startedAt;

    @Inject
    Pulse(Relay relay, SyncManager sync) {
        this.ingest = relay.ingest().counters();
        this.sync = sync;
    }

    void start(@Observes StartupEvent started) {
        Thread.ofPlatform().daemon().name("observe").start(this::run);
    }

    void stop(@Observes ShutdownEvent stopping) {
        closing.countDown();
    }

    private void run() {
        try {
            do {
                beat();
            } while (!closing.await(1, TimeUnit.SECONDS));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void beat() {
        long nanos = System.nanoTime();
        EngineView engine = sync.view().engine();
        stored.sample(nanos, storedCount());
        confirmed.sample(nanos, engine.confirmed());
        Instant now = Instant.now();
        if (engine.phase() != EngineView.Phase.FIRST_SYNC) {
            spokenAt = now;
        } else if (!spokenAt.plus(SPOKEN).isAfter(now)) {
            spokenAt = now;
            LOG.infof(
                    "First sync: %d of %d items confirmed (%d %%), %d of %d relays connected, %.0f events stored a second",
                    engine.confirmed(),
                    engine.wanted(),
                    engine.wanted() == 0 ? 100 : 100 * engine.confirmed() / engine.wanted(),
                    engine.connected(),
                    engine.relays(),
                    storedPerSecond());
        }
    }

    Instant startedAt() {
        return startedAt;
    }

    long storedCount() {
        long sum = 0;
        for (Way way : Way.values()) {
            sum += ingest.storedCount(way);
        }
        return sum;
    }

    double storedPerSecond() {
        return stored.perSecond();
    }

    double confirmedPerSecond() {
        return confirmed.perSecond();
    }
}
