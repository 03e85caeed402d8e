package dev.graspsync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceCommand;
import dev.graspsync.process.ServiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cold sync: an empty service that knows one other fetches all that one has, by REQ and page by page. It asserts that
 * everything arrived; how fast, and in how much memory, it prints. Both services and the checks share the cores.
 */
@Tag("bench")
class SyncBenchmarkIT {

    private static final int REPOSITORIES = Integer.getInteger("bench.repositories", 1_000);
    private static final int ROOTS = 50;
    private static final long MEMORY = 512L << 20;

    @TempDir
    Path temp;

    private final int sourcePort = ServiceProcess.freePort();
    private final int sinkPort = ServiceProcess.freePort();
    private final Table table = new Table();

    @Test
    void measuresAColdSync() throws Exception {
        Corpus.Places places = Corpus.Places.local(List.of(sourcePort, sinkPort));
        Corpus corpus = Corpus.generate(1, REPOSITORIES, ROOTS, 0, places);
        Ceiling.verifyAll(corpus);
        Measured ceiling = Ceiling.verifyAll(corpus);
        table.row(
                "verify-only ceiling, all cores",
                "%,.0f events/s".formatted(ceiling.perSecond()),
                "",
                "%.1f µs of a core each".formatted(ceiling.coreMicros()));
        try (ServiceProcess source =
                ServiceProcess.startAt(sourcePort, temp.resolve("source"), "-Dgrasp.sync.enabled=false")) {
            assertThat(Load.publish(sourcePort, corpus.items(), 4)).isPositive();
            assertThat(Load.count(sourcePort)).isEqualTo(corpus.accepted());
            sync(source, corpus, ceiling);
        }
        System.out.println(table);
    }

    private void sync(ServiceProcess source, Corpus corpus, Measured ceiling) throws Exception {
        Duration sourceBefore = source.cpu();
        long start = System.nanoTime();
        try (ServiceProcess sink = startSink(source)) {
            awaitAll(sink, corpus.accepted());
            Duration time = Duration.ofNanos(System.nanoTime() - start);
            Duration served = source.cpu().minus(sourceBefore);
            Measured synced = new Measured(corpus.accepted(), time, served, sink.cpu());
            table.row(
                    "cold sync of %,d events by pages".formatted(corpus.accepted()),
                    "%,.0f events/s = %.2f ×".formatted(synced.perSecond(), synced.perSecond() / ceiling.perSecond()),
                    "≥ 0.50 ×",
                    "%.1f s; %.2f × by the cores' time; sink %.1f s of a core, source %.1f s"
                            .formatted(
                                    seconds(time),
                                    ceiling.coreMicros() / synced.coreMicros(),
                                    seconds(sink.cpu()),
                                    seconds(served)));
            table.row(
                    "memory of the sink at its most",
                    "%,d MB".formatted(sink.peakBytes() >> 20),
                    "< %,d MB".formatted(MEMORY >> 20),
                    ServiceCommand.options());
            assertThat(Load.ids(sinkPort)).isEqualTo(corpus.acceptedIds());
            assertThat(sink.log()).doesNotContain("cannot be read", "failed (");
        }
    }

    private ServiceProcess startSink(ServiceProcess source) throws IOException {
        return ServiceProcess.startAt(
                sinkPort,
                temp.resolve("sink"),
                "-Dgrasp.sync.allow-private-targets=true",
                "-Dgrasp.sync.bootstrap-relays=" + source.relayUrl());
    }

    /** Counting takes a while of the cores that are measured, so it waits until the service says it is done. */
    private void awaitAll(ServiceProcess sink, long expected) {
        String[] last = {""};
        Awaitility.await("%,d events".formatted(expected))
                .atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    String said = sink.log();
                    String before = last[0];
                    last[0] = said.substring(Math.max(0, said.lastIndexOf(" is synced")));
                    return said.contains(" is synced") && !last[0].equals(before) && Load.count(sinkPort) >= expected;
                });
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
