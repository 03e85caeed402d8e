package dev.graspsync.observe.api;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.HealthTracker;
import dev.graspsync.sync.RelayCounters;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.sync.core.LastOutcome;
import dev.graspsync.sync.core.LayerView;
import dev.graspsync.sync.core.RelayBudget;
import dev.graspsync.sync.core.RelayRecord;
import dev.graspsync.sync.core.RelayView;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The relays as the engine last showed them, with what was counted of them. */
@ApplicationScoped
class RelayReader {

    private final SyncManager sync;
    private final HealthTracker health;

    @Inject
    RelayReader(SyncManager sync, HealthTracker health) {
        this.sync = sync;
        this.health = health;
    }

    List<RelayRow> rows() {
        Instant now = Instant.now();
        return sync.view().relays().stream().map(relay -> row(relay, now)).toList();
    }

    Optional<RelayView> view(RelayUrl url) {
        return sync.view().relay(url);
    }

    RelayRow row(RelayView relay, Instant now) {
        RelayCounters counters = health.counted(relay.relay());
        return new RelayRow(
                relay.relay().toString(),
                word(relay.connection()),
                word(relay.health()),
                word(relay.phase()),
                Optional.of(rounded(relay.since())),
                relay.failures(),
                relay.nextAttempt().map(RelayReader::rounded),
                relay.why().map(RelayView.Reason::text),
                relay.repositories(),
                relay.items(),
                relay.confirmed(),
                counters.everReceivedCount(),
                counters.storedCount(),
                counters.gapCount(),
                counters.bytesCount(),
                counters.sentBytes(),
                Arrays.stream(counters.perMinute(now)).asLongStream().boxed().toList());
    }

    RelayDetail detail(RelayView relay, List<RelayDetail.RepoAtRelay> repos) {
        Instant now = Instant.now();
        RelayBudget budget = relay.budget();
        return new RelayDetail(
                row(relay, now),
                relay.layers().stream().map(RelayReader::layer).toList(),
                new RelayDetail.Budget(
                        budget.subscriptions(), budget.filters(), budget.values(), budget.bytes(), budget.limit()),
                negentropy(relay.relay(), now),
                reliability(relay.reliability(now)),
                dropped(health.counted(relay.relay())),
                relay.freshSyncDue().map(RelayReader::rounded),
                relay.lastConnected().map(RelayReader::rounded),
                relay.quietUntil().map(RelayReader::rounded),
                relay.bootstrap(),
                repos);
    }

    /** That it cannot is remembered for a day, that it can until a restart. */
    private String negentropy(RelayUrl relay, Instant now) {
        RelayRecord record = health.record(relay);
        boolean cannot = record != null
                && record.negentropyRetryAt().filter(now::isBefore).isPresent();
        if (cannot) {
            return "no";
        }
        return health.counted(relay).isCompared() ? "yes" : "unknown";
    }

    private static RelayDetail.LayerRow layer(LayerView layer) {
        return new RelayDetail.LayerRow(
                layer.layer().number(),
                layer.layer().toString(),
                layer.items(),
                layer.confirmed(),
                layer.pending(),
                layer.last().map(LastOutcome::word),
                layer.last().flatMap(LastOutcome::reason));
    }

    private static RelayDetail.Reliability reliability(RelayRecord.Reliability counted) {
        long up = counted.up().toSeconds();
        long down = counted.down().toSeconds();
        double uptime = up + down == 0 ? 0 : Math.round(1000.0 * up / (up + down)) / 1000.0;
        return new RelayDetail.Reliability(counted.attempts(), counted.failures(), up, down, uptime);
    }

    private static RelayDetail.Dropped dropped(RelayCounters counters) {
        long forged = counters.forgedCount();
        return new RelayDetail.Dropped(
                counters.unaskedCount(), counters.malformedCount(), forged, counters.refusedCount() - forged);
    }

    static Instant rounded(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS);
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
