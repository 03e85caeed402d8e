package dev.graspsync.observe;

import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.EventIngest;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.Provenance.Way;
import dev.graspsync.sync.HealthTracker;
import dev.graspsync.sync.RelayCounters;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.sync.core.RelayHealth.Status;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.prometheus.client.Collector;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The sync in Prometheus' terms. A scrape reads counters and copies that other threads keep anyway: the engine is never
 * asked.
 */
@ApplicationScoped
class SyncMetrics {

    static final int MOST_RELAYS = 200;

    private final HealthTracker health;
    private final SyncManager sync;
    private final EventIngest ingest;

    @Inject
    SyncMetrics(HealthTracker health, SyncManager sync, Relay relay) {
        this.health = health;
        this.sync = sync;
        this.ingest = relay.ingest();
    }

    void start(@Observes StartupEvent started, PrometheusMeterRegistry registry) {
        registry.getPrometheusRegistry().register(new Collector() {
            @Override
            public List<MetricFamilySamples> collect() {
                return Stream.concat(relays(), totals()).map(Family::build).toList();
            }
        });
    }

    private Stream<Family> relays() {
        Instant now = Instant.now();
        Map<RelayUrl, RelayCounters> counters = health.counters();
        RelayLabels labels = new RelayLabels(new TreeSet<>(counters.keySet()), MOST_RELAYS);
        Family attempts = Family.counter("connection_attempts", "Attempts to connect by result", "relay", "result");
        sum(labels, counters, RelayCounters::openedCount)
                .forEach((label, value) -> attempts.with(value, label, "success"));
        sum(labels, counters, RelayCounters::openFailedCount)
                .forEach((label, value) -> attempts.with(value, label, "failure"));
        return Stream.of(
                attempts,
                Family.gauge("relay_connected", "Whether the relay is connected", "relay")
                        .with(sum(labels, counters, relay -> relay.isConnected() ? 1 : 0)),
                // Of those that share a label the worst counts: a sum of statuses would say nothing.
                Family.gauge("relay_status", "1 healthy, 2 degraded, 3 dead", "relay")
                        .with(labels.values(relay -> number(health.status(relay, now)), Math::max)),
                Family.gauge("relay_failures", "Failures to connect in a row", "relay")
                        .with(labels.values(health::failures, Double::sum)),
                Family.counter("gap_events", "Events found late, which should have come live", "relay")
                        .with(sum(labels, counters, RelayCounters::gapCount)),
                Family.gauge("relays_tracked_total", "Relays that are known").with(counters.size()),
                Family.gauge("relays_connected_total", "Relays that are connected")
                        .with(counters.values().stream()
                                .filter(RelayCounters::isConnected)
                                .count()),
                Family.gauge("relays_dead_total", "Relays that are dead")
                        .with(counters.keySet().stream()
                                .filter(relay -> health.status(relay, now) == Status.DEAD)
                                .count()));
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
        return Stream.of(
                events,
                refused,
                Family.counter("known_events", "Events offered that were here already")
                        .with(ingest.counters().knownCount()),
                Family.gauge("ingest_queue_events", "Events under way to the store")
                        .with(ingest.underWay()),
                Family.gauge("engine_queue_inputs", "Inputs the sync engine has not seen yet")
                        .with(sync.waitingInputs()));
    }

    private static Map<String, Double> sum(
            RelayLabels labels, Map<RelayUrl, RelayCounters> counters, ToDoubleFunction<RelayCounters> of) {
        return labels.values(relay -> of.applyAsDouble(counters.get(relay)), Double::sum);
    }

    private static int number(Status status) {
        return switch (status) {
            case HEALTHY -> 1;
            case DEGRADED -> 2;
            case DEAD -> 3;
        };
    }
}
