package dev.graspsync.observe;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.store.Provenance.Way;
import dev.graspsync.sync.HealthTracker;
import dev.graspsync.sync.RelayCounters;
import dev.graspsync.sync.SyncConfig;
import dev.graspsync.sync.core.RelayRecord;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.prometheus.client.Collector;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The sync in Prometheus' terms. A scrape reads counters and copies that other threads keep anyway: the engine is never
 * asked. Relays beyond {@link #MOST_RELAYS} are summed up under {@code other}.
 */
@ApplicationScoped
class SyncMetrics {

    static final int MOST_RELAYS = 200;

    private static final int HEALTHY = 1;
    private static final int DEGRADED = 2;
    private static final int DEAD = 3;

    private static final String OTHER = "other";
    private static final List<String> RELAY = List.of("relay");

    private final HealthTracker health;
    private final SyncConfig config;

    @Inject
    SyncMetrics(HealthTracker health, SyncConfig config) {
        this.health = health;
        this.config = config;
    }

    void start(@Observes StartupEvent started, PrometheusMeterRegistry registry) {
        registry.getPrometheusRegistry().register(new Collector() {
            @Override
            public List<MetricFamilySamples> collect() {
                return families();
            }
        });
    }

    private List<Collector.MetricFamilySamples> families() {
        Map<RelayUrl, RelayCounters> relays = new TreeMap<>(health.counters());
        List<Collector.MetricFamilySamples> all = new ArrayList<>();
        all.add(gauge("relay_connected", "Whether the relay is connected", relays, r -> r.isConnected() ? 1 : 0));
        all.add(gauge("relay_failures", "Failures to connect in a row", relays, RelayCounters::failuresInARow));
        all.add(counter(
                "gap_events", "Events found late, which should have come live", relays, RelayCounters::gapCount));
        all.add(attempts(relays));
        Map<String, Double> statuses = new TreeMap<>();
        int dead = 0;
        int number = 0;
        for (RelayUrl relay : relays.keySet()) {
            int status = status(relay);
            dead += status == DEAD ? 1 : 0;
            // Of those beyond the cap the worst counts: a sum of statuses would say nothing.
            statuses.merge(number++ < MOST_RELAYS ? relay.toString() : OTHER, (double) status, Math::max);
        }
        List<Collector.MetricFamilySamples.Sample> samples = new ArrayList<>();
        statuses.forEach((relay, status) -> samples.add(sample("relay_status", RELAY, List.of(relay), status)));
        all.add(family(Collector.Type.GAUGE, "relay_status", "1 healthy, 2 degraded, 3 dead", samples));
        all.add(total("relays_dead_total", "Relays that are dead", dead));
        all.add(events(relays));
        all.add(total("relays_tracked_total", "Relays that are known", relays.size()));
        all.add(total(
                "relays_connected_total",
                "Relays that are connected",
                relays.values().stream().filter(RelayCounters::isConnected).count()));
        return all;
    }

    private int status(RelayUrl relay) {
        RelayRecord record = health.record(relay);
        if (record == null || record.failures() == 0) {
            return HEALTHY;
        }
        Instant deadSince = Instant.now().minus(config.backoff().deadAfter());
        return record.failingSince().filter(since -> !since.isAfter(deadSince)).isPresent() ? DEAD : DEGRADED;
    }

    private static Collector.MetricFamilySamples total(String name, String help, double value) {
        return family(Collector.Type.GAUGE, name, help, List.of(sample(name, List.of(), List.of(), value)));
    }

    private static Collector.MetricFamilySamples gauge(
            String name, String help, Map<RelayUrl, RelayCounters> relays, ToDoubleFunction<RelayCounters> of) {
        return family(Collector.Type.GAUGE, name, help, byRelay(name, RELAY, List.of(), relays, of));
    }

    private static Collector.MetricFamilySamples counter(
            String name, String help, Map<RelayUrl, RelayCounters> relays, ToDoubleFunction<RelayCounters> of) {
        return family(Collector.Type.COUNTER, name, help, byRelay(name + "_total", RELAY, List.of(), relays, of));
    }

    private static Collector.MetricFamilySamples attempts(Map<RelayUrl, RelayCounters> relays) {
        String name = "connection_attempts_total";
        List<String> labels = List.of("relay", "result");
        List<Collector.MetricFamilySamples.Sample> samples = new ArrayList<>();
        samples.addAll(byRelay(name, labels, List.of("success"), relays, RelayCounters::openedCount));
        samples.addAll(byRelay(name, labels, List.of("failure"), relays, RelayCounters::openFailedCount));
        return family(Collector.Type.COUNTER, "connection_attempts", "Attempts to connect by result", samples);
    }

    private static Collector.MetricFamilySamples events(Map<RelayUrl, RelayCounters> relays) {
        List<Collector.MetricFamilySamples.Sample> samples = new ArrayList<>();
        for (Way way : Way.values()) {
            if (way != Way.DIRECT) {
                double sum = relays.values().stream()
                        .mapToLong(relay -> relay.storedCount(way))
                        .sum();
                samples.add(sample(
                        "events_total", List.of("source"), List.of(way.name().toLowerCase(Locale.ROOT)), sum));
            }
        }
        return family(Collector.Type.COUNTER, "events", "Events stored from relays by the way they came", samples);
    }

    private static List<Collector.MetricFamilySamples.Sample> byRelay(
            String name,
            List<String> labels,
            List<String> more,
            Map<RelayUrl, RelayCounters> relays,
            ToDoubleFunction<RelayCounters> of) {
        Map<String, Double> values = new TreeMap<>();
        int number = 0;
        for (Map.Entry<RelayUrl, RelayCounters> entry : relays.entrySet()) {
            String label = number++ < MOST_RELAYS ? entry.getKey().toString() : OTHER;
            values.merge(label, of.applyAsDouble(entry.getValue()), Double::sum);
        }
        List<Collector.MetricFamilySamples.Sample> samples = new ArrayList<>();
        values.forEach((relay, value) -> {
            List<String> all = new ArrayList<>(List.of(relay));
            all.addAll(more);
            samples.add(sample(name, labels, all, value));
        });
        return samples;
    }

    private static Collector.MetricFamilySamples.Sample sample(
            String name, List<String> labels, List<String> values, double value) {
        return new Collector.MetricFamilySamples.Sample("ngit_sync_" + name, labels, values, value);
    }

    private static Collector.MetricFamilySamples family(
            Collector.Type type, String name, String help, List<Collector.MetricFamilySamples.Sample> samples) {
        return new Collector.MetricFamilySamples("ngit_sync_" + name, type, help, samples);
    }
}
