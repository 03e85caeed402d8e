package dev.graspsync.observe;

import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One metric while it is put together. Its name is what dashboards know, also where a gauge ends in {@code _total}. */
final class Family {

    private static final String PREFIX = "ngit_sync_";

    private final Collector.Type type;
    private final String name;
    private final String help;
    private final List<String> labels;
    private final List<Sample> samples = new ArrayList<>();

    private Family(Collector.Type type, String name, String help, List<String> labels) {
        this.type = type;
        this.name = PREFIX + name;
        this.help = help;
        this.labels = labels;
    }

    static Family gauge(String name, String help, String... labels) {
        return new Family(Collector.Type.GAUGE, name, help, List.of(labels));
    }

    /** @param name without the {@code _total} it is exported with */
    static Family counter(String name, String help, String... labels) {
        return new Family(Collector.Type.COUNTER, name, help, List.of(labels));
    }

    Family with(double value, String... labelValues) {
        String exported = type == Collector.Type.COUNTER ? name + "_total" : name;
        samples.add(new Sample(exported, labels, List.of(labelValues), value));
        return this;
    }

    /** A sample for each value of the first label. */
    Family with(Map<String, Double> values) {
        values.forEach((label, value) -> with(value, label));
        return this;
    }

    MetricFamilySamples build() {
        return new MetricFamilySamples(name, type, help, samples);
    }
}
