package dev.graspsync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole service under load, in one run. It asserts that the answers are right; how fast they come it prints. */
@Tag("bench")
class RelayBenchmarkIT {

    /** The sync subscribes to the own relay, and would read every event once more. */
    private static final String RELAY_ALONE = "-Dgrasp.sync.enabled=false";

    private static final String DOMAIN = "bench.example";
    private static final int REPOSITORIES = Integer.getInteger("bench.repositories", 1_000);
    private static final int ROOTS = 50;
    private static final int NOISE = 5 * REPOSITORIES;
    /** After that many the JVM has compiled most of what it will. */
    private static final int WARM_UP_EVENTS = Integer.getInteger("bench.warm-up", 300_000);

    private static final int SUBSCRIBERS = 500;
    private static final int OPENED_EVENTS = Integer.getInteger("bench.opened", 1_000_000);

    @TempDir
    Path temp;

    private final Table table = new Table();
    /** Bytes of JSON the warm-up of the last service left in its store. */
    private long warmUpBytes;

    private Measured ceiling = new Measured(1, Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO);

    @Test
    void measuresTheWholeService() throws Exception {
        Corpus corpus = Corpus.generate(1, REPOSITORIES, ROOTS, NOISE, DOMAIN);
        measureCeiling(corpus);
        Path one = temp.resolve("one");
        ingest(one, corpus, 1);
        ingest(temp.resolve("ten"), corpus, 10);
        storeSize(one, corpus);
        downloadInOneRequest(one, corpus);
        try (ServiceProcess service = ServiceProcess.start(one, DOMAIN, RELAY_ALONE)) {
            downloadByPages(service, corpus);
            queries(service, corpus);
            fanOut(service);
        }
        openTime();
        System.out.println(table);
    }

    private void measureCeiling(Corpus corpus) throws Exception {
        Ceiling.verifyAll(corpus);
        ceiling = Ceiling.verifyAll(corpus);
        table.row(
                "verify-only ceiling, all cores",
                "%,.0f events/s".formatted(ceiling.perSecond()),
                "",
                "%.1f µs of a core each".formatted(ceiling.coreMicros()));
    }

    private void ingest(Path folder, Corpus corpus, int connections) throws Exception {
        try (ServiceProcess service = ServiceProcess.start(folder, DOMAIN, RELAY_ALONE)) {
            warmUp(service, connections);
            long before = Load.count(service.port());
            Measured published = Measured.of(
                    corpus.size(), service, () -> Load.publish(service.port(), corpus.items(), connections));
            assertThat(Load.count(service.port()) - before).isEqualTo(corpus.accepted());
            table.row(
                    "ingest of %,d events, %d connection(s)".formatted(corpus.size(), connections),
                    "%,.0f events/s = %.2f ×"
                            .formatted(published.perSecond(), published.perSecond() / ceiling.perSecond()),
                    "≥ 0.50 ×",
                    "%.2f × by the cores' time; %s"
                            .formatted(ceiling.coreMicros() / published.coreMicros(), published.cores()));
        }
    }

    /**
     * A relay runs for months: what its first seconds cost, while the JVM compiles it, is not the question. It has been
     * sent what it refuses, too: code that runs for the first time makes the compiler begin anew.
     */
    private void warmUp(ServiceProcess service, int connections) throws Exception {
        warmUpBytes = 0;
        int published = 0;
        for (int round = 0; published < WARM_UP_EVENTS; round++) {
            Corpus corpus = Corpus.generate(100 + round, REPOSITORIES, ROOTS, NOISE, DOMAIN);
            Load.publish(service.port(), corpus.items(), connections);
            warmUpBytes += corpus.acceptedBytes();
            published += corpus.size();
        }
    }

    private void storeSize(Path folder, Corpus corpus) throws IOException {
        long file = Files.size(folder.resolve("events.mv"));
        long live = corpus.acceptedBytes() + warmUpBytes;
        table.row(
                "store file against its live events",
                "%.2f ×".formatted((double) file / live),
                "",
                "%,d MB of file, %,d MB of JSON".formatted(file >> 20, live >> 20));
    }

    private void downloadInOneRequest(Path folder, Corpus corpus) throws Exception {
        try (ServiceProcess service =
                ServiceProcess.start(folder, DOMAIN, RELAY_ALONE, "-Dgrasp.relay.max-limit=10000000")) {
            long all = Load.count(service.port());
            Load.downloadAtOnce(service.port());
            Load.downloadAtOnce(service.port());
            Measured download = Measured.of(
                    all,
                    service,
                    () -> assertThat(Load.downloadAtOnce(service.port())).isEqualTo((int) all));
            table.row(
                    "download of all %,d in one REQ".formatted(all),
                    "%,.0f events/s".formatted(download.perSecond()),
                    "≥ 100,000",
                    download.cores());
        }
    }

    private void downloadByPages(ServiceProcess service, Corpus corpus) throws Exception {
        long all = Load.count(service.port());
        Load.downloadByPages(service.port());
        Load.downloadByPages(service.port());
        Measured download = Measured.of(
                all,
                service,
                () -> assertThat(Load.downloadByPages(service.port())).isEqualTo((int) all));
        table.row(
                "download of all %,d by pages".formatted(all),
                "%,.0f events/s".formatted(download.perSecond()),
                "≥ 100,000",
                download.cores());
    }

    private void queries(ServiceProcess service, Corpus corpus) throws Exception {
        runQueries(service, corpus, 2_000);
        queryRow("tag-filter queries, idle", runQueries(service, corpus, 5_000), "", "");
        Corpus more = Corpus.generate(3, REPOSITORIES, ROOTS, 0, DOMAIN);
        try (ExecutorService background = Executors.newSingleThreadExecutor()) {
            Future<Measured> publishing = background.submit(
                    () -> Measured.of(more.size(), service, () -> Load.publish(service.port(), more.items(), 1)));
            TagQueries queries = TagQueries.run(service.port(), corpus, () -> !publishing.isDone());
            queryRow(
                    "tag-filter queries, while ingesting",
                    queries,
                    "p99 < 5 ms",
                    ", beside %,.0f events/s".formatted(publishing.get().perSecond()));
        }
    }

    private static TagQueries runQueries(ServiceProcess service, Corpus corpus, int count) throws IOException {
        AtomicInteger left = new AtomicInteger(count);
        return TagQueries.run(service.port(), corpus, () -> left.getAndDecrement() > 0);
    }

    private void queryRow(String what, TagQueries queries, String target, String notes) {
        table.row(
                what,
                "p50 %.2f p99 %.2f ms".formatted(millis(queries.percentile(0.5)), millis(queries.percentile(0.99))),
                target,
                "%,d queries, %.1f events each%s"
                        .formatted(queries.count(), (double) queries.events() / queries.count(), notes));
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }

    private void fanOut(ServiceProcess service) throws Exception {
        for (int round = 0; round < 2; round++) {
            Corpus live = Corpus.generate(4 + round, 5, ROOTS, 0, DOMAIN);
            long deliveries = (long) SUBSCRIBERS * live.accepted();
            Measured fanned = Measured.of(
                    deliveries,
                    service,
                    () -> Load.fanOut(
                            service.port(),
                            SUBSCRIBERS,
                            live.accepted(),
                            () -> Load.publish(service.port(), live.items(), 1)));
            if (round == 1) {
                table.row(
                        "live fan-out, %d events to %d subscribers".formatted(live.accepted(), SUBSCRIBERS),
                        "%,.0f deliveries/s".formatted(fanned.perSecond()),
                        "",
                        fanned.cores());
            }
        }
    }

    private void openTime() throws Exception {
        LargeStore large = LargeStore.write(temp.resolve("large"), OPENED_EVENTS);
        List<Duration> opened = large.open(3);
        table.row(
                "opening a store of %,d events".formatted(OPENED_EVENTS),
                "%.0f ms".formatted(millis(opened.getFirst())),
                "",
                "then %.0f and %.0f ms; %,d MB of file"
                        .formatted(millis(opened.get(1)), millis(opened.get(2)), large.bytes() >> 20));
    }
}
