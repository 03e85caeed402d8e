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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Looks once a second at how far everything is: how fast it goes, and a line now and then while the first sync lasts. */
@ApplicationScoped
class Pulse {

    private static final Logger LOG = Logger.getLogger(Pulse.class);
    private static final Duration SPOKEN = Duration.ofSeconds(30);
    private static final int STORED = 5;
    private static final int CONFIRMED = 30;

    private final LongSupplier storedCount;
    private final Supplier<EngineView> engine;
    private final boolean syncing;
    private final InstantSource clock;
    private final Pace stored = new Pace(STORED);
    private final Pace confirmed = new Pace(CONFIRMED);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Instant startedAt;
    private Instant spokenAt;

    @Inject
    Pulse(Relay relay, SyncManager sync) {
        this(() -> stored(relay.ingest().counters()), () -> sync.view().engine(), sync.isEnabled(), Clock.systemUTC());
    }

    /**
     * @param storedCount events stored since the start
     * @param syncing whether there is an engine that will ever get on
     */
    Pulse(LongSupplier storedCount, Supplier<EngineView> engine, boolean syncing, InstantSource clock) {
        this.syncing = syncing;
        this.storedCount = storedCount;
        this.engine = engine;
        this.clock = clock;
        this.startedAt = clock.instant();
        this.spokenAt = startedAt;
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
        beat(System.nanoTime());
    }

    /** @param nanos of a clock that never leaps */
    void beat(long nanos) {
        EngineView engine = this.engine.get();
        stored.sample(nanos, storedCount.getAsLong());
        confirmed.sample(nanos, engine.confirmed());
        Instant now = clock.instant();
        boolean telling = syncing
                && (engine.phase() == EngineView.Phase.STARTING || engine.phase() == EngineView.Phase.FIRST_SYNC);
        if (!telling) {
            spokenAt = now;
        } else if (!spokenAt.plus(SPOKEN).isAfter(now)) {
            spokenAt = now;
            tell(engine);
        }
    }

    private void tell(EngineView engine) {
        if (engine.phase() == EngineView.Phase.STARTING) {
            LOG.infof(
                    "Reading the own relay: %d repositories and %d root events so far",
                    engine.repositories(), engine.roots());
        } else {
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

    private static long stored(IngestCounters ingest) {
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
