package dev.graspsync.observe;

import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.observe.RelayLabels.Labelled;
import dev.graspsync.relay.EventIngest;
import dev.graspsync.relay.IngestTimes;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.Provenance.Way;
import dev.graspsync.sync.HealthTracker;
import dev.graspsync.sync.NegentropyCounters;
import dev.graspsync.sync.Publishing;
import dev.graspsync.sync.RelayCounters;
import dev.graspsync.sync.RelayTotals;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.sync.SyncView;
import dev.graspsync.sync.core.Fallback;
import dev.graspsync.sync.core.LastOutcome;
import dev.graspsync.sync.core.Layer;
import dev.graspsync.sync.core.LayerView;
import dev.graspsync.sync.core.RelayHealth.Status;
import dev.graspsync.sync.core.RelayRecord;
import dev.graspsync.sync.core.RelayRecord.Coverage;
import dev.graspsync.sync.core.RelayView;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.prometheus.client.Collector;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The sync in Prometheus' terms. A scrape reads counters and copies that other threads keep anyway: the engine is never
 * asked.
 */
@ApplicationScoped
class SyncMetrics {

    private final HealthTracker health;
    private final SyncManager sync;
    private final EventIngest ingest;
    private final EventStore store;
    private final DataFolder folder;
    private final RelayLabels<RelayCounters> relayLabels;

    @Inject
    SyncMetrics(HealthTracker health, SyncManager sync, Relay relay, MetricsConfig config) {
        this.health = health;
        this.sync = sync;
        this.ingest = relay.ingest();
        this.store = relay.store();
        this.folder = new DataFolder(relay.config().dataDir());
        this.relayLabels = new RelayLabels<>(config.maxRelayLabels(), RelayTotals::of);
    }

    void start(@Observes StartupEvent started, PrometheusMeterRegistry registry) {
        registry.getPrometheusRegistry().register(new Collector() {
            @Override
            public List<MetricFamilySamples> collect() {
                return Stream.of(
                                relays(),
                                coverage(),
                                outcomes(),
                                totals(),
                                times(),
                                negentropy(),
                                publishing(),
                                store())
                        .flatMap(families -> families)
                        .map(Family::build)
                        .toList();
            }
        });
    }

    private Stream<Family> relays() {
        Instant now = Instant.now();
        Map<RelayUrl, RelayCounters> counters = health.counters();
        Labelled labels = relayLabels.label(counters);
        Family attempts = Family.counter("connection_attempts", "Attempts to connect by result", "relay", "result");
        labels.totals(RelayTotals::opened).forEach((label, value) -> attempts.with(value, label, "success"));
        labels.totals(RelayTotals::openFailed).forEach((label, value) -> attempts.with(value, label, "failure"));
        return Stream.of(
                attempts,
                dropped(labels),
                Family.gauge("relay_connected", "Whether the relay is connected", "relay")
                        .with(labels.values(relay -> health.counted(relay).isConnected() ? 1 : 0, Double::sum)),
                // Of those that share a label the worst counts: a sum of statuses would say nothing.
                Family.gauge("relay_status", "1 healthy, 2 degraded, 3 dead", "relay")
                        .with(labels.values(relay -> number(health.status(relay, now)), Math::max)),
                Family.gauge("relay_failures", "Failures to connect in a row", "relay")
                        .with(labels.values(health::failures, Double::sum)),
                Family.counter("gap_events", "Events found late, which should have come live", "relay")
                        .with(labels.totals(RelayTotals::gaps)),
                Family.gauge("relays_tracked_total", "Relays that are known").with(counters.size()),
                Family.gauge("relays_connected_total", "Relays that are connected")
                        .with(counters.values().stream()
                                .filter(RelayCounters::isConnected)
                                .count()),
                Family.gauge("relays_left_out_total", "Relays that are named and got no place")
                        .with(sync.view().engine().leftOut()),
                Family.gauge("relays_dead_total", "Relays that are dead")
                        .with(counters.keySet().stream()
                                .filter(relay -> health.status(relay, now) == Status.DEAD)
                                .count()));
    }

    private static Family dropped(Labelled labels) {
        Family dropped = Family.counter("relay_dropped", "What a relay sent in vain by reason", "relay", "reason");
        labels.totals(relay -> relay.inVain().unasked())
                .forEach((label, value) -> dropped.with(value, label, "unasked"));
        labels.totals(relay -> relay.inVain().malformed())
                .forEach((label, value) -> dropped.with(value, label, "malformed"));
        labels.totals(relay -> relay.inVain().forged()).forEach((label, value) -> dropped.with(value, label, "forged"));
        labels.totals(relay -> relay.inVain().refused())
                .forEach((label, value) -> dropped.with(value, label, "refused"));
        return dropped;
    }

    /** As far as it was last remembered: the engine does so with every change of a relay's state. */
    private Stream<Family> coverage() {
        Family items = Family.gauge("coverage_items", "Repositories and root events by relay", "relay", "state");
        Labelled labels = relayLabels.label(health.counters());
        labels.values(relay -> coverage(relay).confirmed(), Double::sum)
                .forEach((label, value) -> items.with(value, label, "confirmed"));
        labels.values(relay -> coverage(relay).items() - coverage(relay).confirmed(), Double::sum)
                .forEach((label, value) -> items.with(value, label, "wanted"));
        return Stream.of(
                items,
                Family.gauge("pending_items", "Items a relay has been asked about and not answered", "relay")
                        .with(seen(labels, SyncMetrics::pending)),
                Family.gauge("pending_batches", "Batches of these items", "relay")
                        .with(seen(labels, view -> view.asked().batches())),
                Family.gauge("open_subscriptions", "Subscriptions that are open at a relay", "relay")
                        .with(seen(labels, view -> view.asked().subscriptions())),
                Family.gauge("open_filters", "Filters of these subscriptions", "relay")
                        .with(seen(labels, view -> view.asked().filters())));
    }

    /** All combinations, so that one which has never been is not taken for one that is not known. */
    private Stream<Family> outcomes() {
        Map<Layer, Map<String, Integer>> counts = new EnumMap<>(Layer.class);
        for (RelayView relay : sync.view().relays()) {
            for (LayerView layer : relay.layers()) {
                layer.last()
                        .ifPresent(last -> counts.computeIfAbsent(layer.layer(), none -> new HashMap<>())
                                .merge(last.word(), 1, Integer::sum));
            }
        }
        Family relays =
                Family.gauge("layer_outcomes", "Relays by how the last question of a layer ended", "layer", "outcome");
        for (Layer layer : Layer.values()) {
            for (String outcome : LastOutcome.WORDS) {
                int count = counts.getOrDefault(layer, Map.of()).getOrDefault(outcome, 0);
                relays.with(count, layer.name().toLowerCase(Locale.ROOT), outcome);
            }
        }
        return Stream.of(relays);
    }

    private static int pending(RelayView relay) {
        return relay.layers().stream().mapToInt(LayerView::pending).sum();
    }

    private Map<String, Double> seen(Labelled labels, ToIntFunction<RelayView> of) {
        SyncView view = sync.view();
        return labels.values(
                relay -> view.relay(relay).map(of::applyAsInt).orElse(0).doubleValue(), Double::sum);
    }

    private Coverage coverage(RelayUrl relay) {
        RelayRecord record = health.record(relay);
        return record == null ? Coverage.NONE : record.coverage();
    }

    private Stream<Family> negentropy() {
        NegentropyCounters compared = health.negentropy();
        Family fallbacks = Family.counter(
                "negentropy_fallbacks", "Comparisons (NIP-77) that gave way to other ways of asking", "reason");
        for (Fallback reason : Fallback.values()) {
            fallbacks.with(
                    compared.fallbackCount(reason),
                    reason.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        return Stream.of(
                fallbacks,
                Family.counter("negentropy_sessions", "Comparisons (NIP-77) with relays")
                        .with(compared.sessionCount()),
                Family.counter("negentropy_rounds", "Messages sent to compare, each with one answer")
                        .with(compared.roundCount()),
                Family.counter("negentropy_bytes", "Bytes of messages to compare, as on the wire", "direction")
                        .with(compared.sentBytes(), "sent")
                        .with(compared.receivedBytes(), "received"),
                Family.counter("negentropy_ids", "Ids that comparing found on one side only", "side")
                        .with(compared.neededCount(), "relay")
                        .with(compared.lackedCount(), "here"),
                Family.counter("negentropy_pushed_events", "Events published to relays that lacked them")
                        .with(compared.pushedCount()),
                Family.counter("negentropy_splits", "Comparisons that went on in two halves of their time")
                        .with(compared.splitCount()));
    }

    /** Of the sidecar; all zero without one. */
    private Stream<Family> publishing() {
        Publishing publishing = sync.publishing();
        return Stream.of(
                Family.gauge("publish_lag_events", "Events of the log the own relay has not answered")
                        .with(publishing.lag()),
                Family.gauge("publish_set_aside_events", "Events the own relay fails at, tried once an hour")
                        .with(publishing.setAside()),
                Family.counter("publish_refused_events", "Events the own relay does not take")
                        .with(publishing.refused()));
    }

    private Stream<Family> store() {
        return Stream.of(
                Family.counter("committed_events", "Events ever committed to the store, also those gone since")
                        .with(store.lastSeq()),
                Family.gauge("store_bytes", "What the files in the data folder take")
                        .with(folder.bytes()),
                Family.gauge("disk_free_bytes", "What is free on the disk of the data folder")
                        .with(folder.freeBytes()),
                Family.gauge("disk_bytes", "The size of the disk of the data folder")
                        .with(folder.totalBytes()));
    }

    private Stream<Family> totals() {
        Family events = Family.counter("events", "Events stored by the way they came", "source");
        for (Way way : Way.values()) {
            events.with(ingest.counters().storedCount(way), way.name().toLowerCase(Locale.ROOT));
        }
        Family refused = Family.counter("refused_events", "Events refused, by the first word of the reason", "reason");
        for (Prefix prefix : Prefix.values()) {
            refused.with(ingest.counters().refusedCount(prefix), prefix.toString());
        }
        RelayTotals relays = health.totals();
        return Stream.of(
                events,
                refused,
                Family.counter("bytes", "Bytes of messages to and from relays", "direction")
                        .with(relays.bytesSent(), "sent")
                        .with(relays.bytesReceived(), "received"),
                Family.counter("known_events", "Events offered that were here already")
                        .with(ingest.counters().knownCount()),
                Family.counter("unwanted_events", "Events of relays asked by kind alone that concern nothing here")
                        .with(ingest.counters().unwantedCount()),
                Family.gauge("ingest_queue_events", "Events under way to the store")
                        .with(ingest.underWay()),
                Family.gauge("engine_queue_inputs", "Inputs the sync engine has not seen yet")
                        .with(sync.waitingInputs()));
    }

    private Stream<Family> times() {
        IngestTimes times = ingest.times();
        return Stream.of(
                Family.histogram("ingest_seconds", "From offer to answer, for each event")
                        .with(
                                IngestTimes.BOUNDS,
                                times.settledByBound(),
                                times.settled().seconds()),
                Family.summary("ingest_stage_seconds", "Time of threads for each piece or batch", "stage")
                        .with(times.verified().times(), times.verified().seconds(), "verify")
                        .with(times.written().times(), times.written().seconds(), "write"));
    }

    private static int number(Status status) {
        return switch (status) {
            case HEALTHY -> 1;
            case DEGRADED -> 2;
            case DEAD -> 3;
        };
    }
}
