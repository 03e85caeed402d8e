package dev.graspsync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Kind;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceCommand;
import dev.graspsync.process.ServiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two first syncs by REQ and page by page, each of all that another instance has. The first is a start from nothing: an
 * empty service in a JVM that has just begun. The second is what a service that runs does when it hears of a relay: some
 * announcements name an instance it has never asked. It asserts that everything arrived; how fast, and in how much memory,
 * it prints. The services and the checks share the cores.
 */
@Tag("bench")
class SyncBenchmarkIT {

    private static final int REPOSITORIES = Integer.getInteger("bench.repositories", 1_000);
    private static final int ROOTS = 50;
    /** By these the sink hears of the second relay: a burst, so that it does not wait for more. */
    private static final int ANNOUNCED = 200;

    private static final long MEMORY = 512L << 20;

    @TempDir
    Path temp;

    private final int firstPort = ServiceProcess.freePort();
    private final int secondPort = ServiceProcess.freePort();
    private final int sinkPort = ServiceProcess.freePort();
    private final Table table = new Table();
    private Measured ceiling = new Measured(1, Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO);

    @Test
    void measuresFirstSyncs() throws Exception {
        Corpus first = corpus(1, firstPort);
        Corpus second = corpus(2, secondPort);
        measureCeiling(first);
        try (ServiceProcess firstSource = source(firstPort, first);
                ServiceProcess secondSource = source(secondPort, second)) {
            long start = System.nanoTime();
            Duration servedBefore = firstSource.cpu();
            try (ServiceProcess sink = startSink(firstSource)) {
                awaitAll(sink, "", first.accepted());
                row(
                        "first sync of %,d events, from the start of the JVM",
                        new Measured(
                                first.accepted(),
                                Duration.ofNanos(System.nanoTime() - start),
                                firstSource.cpu().minus(servedBefore),
                                sink.cpu()));
                row(
                        "first sync of %,d events from one more relay",
                        hearOf(secondSource, second, sink, first.accepted() + second.accepted()));
                table.row(
                        "memory of the sink at its most",
                        "%,d MB".formatted(sink.peakBytes() >> 20),
                        "< %,d MB".formatted(MEMORY >> 20),
                        ServiceCommand.options());
                Set<String> all = new HashSet<>(first.acceptedIds());
                all.addAll(second.acceptedIds());
                assertThat(Load.ids(sinkPort)).isEqualTo(all);
                assertThat(sink.log()).doesNotContain("cannot be read", "cannot be reached", "failed (");
            }
        }
        System.out.println(table);
    }

    private Corpus corpus(long seed, int sourcePort) {
        return Corpus.generate(seed, REPOSITORIES, ROOTS, 0, Corpus.Places.local(List.of(sourcePort, sinkPort)));
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

    private ServiceProcess source(int port, Corpus corpus) throws Exception {
        ServiceProcess source =
                ServiceProcess.startAt(port, temp.resolve("source-" + port), "-Dgrasp.sync.enabled=false");
        assertThat(Load.publish(port, corpus.items(), 4)).isPositive();
        assertThat(Load.count(port)).isEqualTo(corpus.accepted());
        return source;
    }

    private ServiceProcess startSink(ServiceProcess source) throws IOException {
        return ServiceProcess.startAt(
                sinkPort,
                temp.resolve("sink"),
                "-Dgrasp.sync.negentropy=false",
                "-Dgrasp.sync.allow-private-targets=true",
                "-Dgrasp.sync.bootstrap-relays=" + source.relayUrl());
    }

    /** Publishes some announcements to the sink; everything else it finds where they point. */
    private Measured hearOf(ServiceProcess source, Corpus corpus, ServiceProcess sink, long expected) throws Exception {
        List<Corpus.Item> announcements = corpus.items().stream()
                .filter(item -> item.event().kind() == Kind.REPO_ANNOUNCEMENT)
                .limit(ANNOUNCED)
                .toList();
        String before = lastSynced(sink.log());
        Duration servedBefore = source.cpu();
        return Measured.of(corpus.accepted(), sink, () -> {
                    assertThat(Load.publish(sinkPort, announcements, 1)).isEqualTo(announcements.size());
                    awaitAll(sink, before, expected);
                })
                .withClient(() -> source.cpu().minus(servedBefore));
    }

    private void row(String what, Measured synced) {
        table.row(
                what.formatted(synced.things()),
                "%,.0f events/s = %.2f ×".formatted(synced.perSecond(), synced.perSecond() / ceiling.perSecond()),
                "≥ 0.50 ×",
                "%.1f s; %.2f × by the cores' time; sink %.1f s of a core, source %.1f s"
                        .formatted(
                                seconds(synced.time()),
                                ceiling.coreMicros() / synced.coreMicros(),
                                seconds(synced.service()),
                                seconds(synced.client())));
    }

    /** Counting takes a while of the cores that are measured, so it waits until the service says it is done. */
    private void awaitAll(ServiceProcess sink, String syncedBefore, long expected) {
        String[] last = {syncedBefore};
        Awaitility.await("%,d events".formatted(expected))
                .atMost(Duration.ofMinutes(8))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    String before = last[0];
                    last[0] = lastSynced(sink.log());
                    return !last[0].equals(before) && Load.count(sinkPort) >= expected;
                });
    }

    /** What the service said from the last time on that a relay was synced; it says it once for each change. */
    private static String lastSynced(String log) {
        int at = log.lastIndexOf(" is synced");
        return at < 0
                ? ""
                : log.substring(log.lastIndexOf('\n', at) + 1)
                        .lines()
                        .findFirst()
                        .orElse("");
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
