package dev.graspsync.observe.api;

import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.observe.DataFolder;
import dev.graspsync.relay.IngestCounters;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.Provenance.Way;
import dev.graspsync.sync.HealthTracker;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.sync.core.EngineView;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Puts {@link Status} together. Asks the disk for its room, so not on an event loop. */
@ApplicationScoped
class StatusReader {

    private final Relay relay;
    private final SyncManager sync;
    private final HealthTracker health;
    private final Pulse pulse;
    private final ApiToken token;
    private final DataFolder folder;
    private final String name;
    private final String version;

    @Inject
    StatusReader(
            Relay relay,
            SyncManager sync,
            HealthTracker health,
            Pulse pulse,
            ApiToken token,
            @ConfigProperty(name = "quarkus.application.name") String name,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.relay = relay;
        this.sync = sync;
        this.health = health;
        this.pulse = pulse;
        this.token = token;
        this.folder = new DataFolder(relay.config().dataDir());
        this.name = name;
        this.version = version;
    }

    Status read() {
        return new Status(
                name,
                version,
                sync.sidecarOf().isPresent() ? "sidecar" : "embedded",
                sync.sidecarOf().map(RelayUrl::toString),
                relay.config().domain(),
                pulse.startedAt().truncatedTo(ChronoUnit.MILLIS),
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                token.isConfigured(),
                store(),
                ingest(),
                sync());
    }

    private Status.Store store() {
        return new Status.Store(
                relay.store().size(),
                (long) folder.bytes(),
                (long) folder.freeBytes(),
                (long) folder.totalBytes(),
                relay.ingest().isStoreFailing());
    }

    private Status.Ingest ingest() {
        IngestCounters counters = relay.ingest().counters();
        Map<String, Long> stored = new LinkedHashMap<>();
        for (Way way : Way.values()) {
            stored.put(way.name().toLowerCase(Locale.ROOT), counters.storedCount(way));
        }
        return new Status.Ingest(
                relay.ingest().underWay(),
                stored,
                counters.knownCount(),
                Arrays.stream(Prefix.values()).mapToLong(counters::refusedCount).sum(),
                pulse.storedPerSecond());
    }

    private Status.Sync sync() {
        EngineView engine = sync.view().engine();
        double pace = pulse.confirmedPerSecond();
        return new Status.Sync(
                sync.isEnabled(),
                phase(engine),
                engine.wanted(),
                engine.confirmed(),
                engine.wanted() == 0 ? 1 : Math.floor(1000.0 * engine.confirmed() / engine.wanted()) / 1000,
                pace,
                secondsLeft(engine, pace),
                new Status.Relays(engine.relays(), engine.connected(), engine.degraded(), engine.dead()),
                engine.repositories(),
                engine.roots(),
                health.totals().gaps());
    }

    /** What relays hold that cannot be reached, or do not hand it out, takes as long as they like: it does not count. */
    static Optional<Long> secondsLeft(EngineView engine, double pace) {
        return engine.phase() == EngineView.Phase.FIRST_SYNC && engine.underWay() > 0 && pace > 0
                ? Optional.of((long) Math.ceil(engine.underWay() / pace))
                : Optional.empty();
    }

    private String phase(EngineView engine) {
        if (!sync.isEnabled()) {
            return "off";
        }
        return engine.phase().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
