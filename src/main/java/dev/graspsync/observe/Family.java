package dev.graspsync.observe;

import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.time.Duration;
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

    /** Without quantiles: how often, and how long in all. */
    static Family summary(String name, String help, String... labels) {
        return new Family(Collector.Type.SUMMARY, name, help, List.of(labels));
    }

    static Family histogram(String name, String help) {
        return new Family(Collector.Type.HISTOGRAM, name, help, List.of());
    }

    /** Of a summary. */
    Family with(long times, double seconds, String... labelValues) {
        samples.add(new Sample(name + "_count", labels, List.of(labelValues), times));
        samples.add(new Sample(name + "_sum", labels, List.of(labelValues), seconds));
        return this;
    }

    /** Of a histogram: one count for each bound and one more for what is beyond, which together are all. */
    Family with(List<Duration> bounds, List<Long> counts, double seconds) {
        long upTo = 0;
        for (int i = 0; i < counts.size(); i++) {
            upTo += counts.get(i);
            String bound =
                    i < bounds.size() ? Collector.doubleToGoString(bounds.get(i).toNanos() / 1e9) : "+Inf";
            samples.add(new Sample(name + "_bucket", List.of("le"), List.of(bound), upTo));
        }
        samples.add(new Sample(name + "_count", labels, List.of(), upTo));
        samples.add(new Sample(name + "_sum", labels, List.of(), seconds));
        return this;
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
