package dev.graspsync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.RawClient;
import dev.graspsync.process.ServiceCommand;
import dev.graspsync.process.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The binary named by {@code bench.binary} against the JVM, in one run: the time to the first answer, memory, ingest and a
 * cold sync. The targets are printed; that everything arrived is asserted.
 */
@Tag("bench")
class NativeBenchmarkIT {

    private static final String BINARY = System.getProperty("bench.binary", "");
    private static final int REPOSITORIES = Integer.getInteger("bench.repositories", 1_000);
    private static final int ROOTS = 50;
    private static final int STARTS = 5;

    @TempDir
    Path temp;

    private final Table table = new Table();

    private record Figures(double millis, long idle, double ingest, double sync, long peak) {}

    @Test
    void measuresTheBinaryAgainstTheJvm() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of(BINARY)), "name a binary by -Dbench.binary");
        Figures jvm = measure("jvm", "");
        Figures binary = measure("native", BINARY);
        row("exec to first answer to a REQ, median of " + STARTS, "%.0f ms", binary.millis, jvm.millis, "≤ 50 ms");
        row("memory when idle", "%.0f MB", binary.idle / 1e6, jvm.idle / 1e6, "≤ 64 MB");
        row("memory at its most, after a sync", "%.0f MB", binary.peak / 1e6, jvm.peak / 1e6, "< 256 MB");
        row("ingest, 4 connections", "%,.0f events/s", binary.ingest, jvm.ingest, "≥ 0.80 ×");
        row("cold sync", "%,.0f events/s", binary.sync, jvm.sync, "≥ 0.80 ×");
        table.row("size of the binary", "%,d MB".formatted(Files.size(Path.of(BINARY)) >> 20), "", "");
        System.out.println(table);
    }

    private void row(String what, String format, double binary, double jvm, String target) {
        table.row(
                what,
                format.formatted(binary),
                target,
                "JVM " + format.formatted(jvm) + ", %.2f ×".formatted(binary / jvm));
    }

    private Figures measure(String name, String binary) throws Exception {
        String before = System.setProperty("service.binary", binary);
        try {
            Path folder = Files.createDirectories(temp.resolve(name));
            double millis = start(folder);
            int sourcePort = ServiceProcess.freePort();
            int sinkPort = ServiceProcess.freePort();
            Corpus corpus =
                    Corpus.generate(1, REPOSITORIES, ROOTS, 0, Corpus.Places.local(List.of(sourcePort, sinkPort)));
            try (ServiceProcess source =
                    ServiceProcess.startAt(sourcePort, folder.resolve("source"), "-Dgrasp.sync.enabled=false")) {
                long idle = source.residentBytes();
                Measured published =
                        Measured.of(corpus.size(), source, () -> Load.publish(sourcePort, corpus.items(), 4));
                long start = System.nanoTime();
                try (ServiceProcess sink = ServiceProcess.startAt(
                        sinkPort,
                        folder.resolve("sink"),
                        "-Dgrasp.sync.allow-private-targets=true",
                        "-Dgrasp.sync.bootstrap-relays=" + source.relayUrl())) {
                    Awaitility.await()
                            .atMost(Duration.ofMinutes(4))
                            .pollInterval(Duration.ofMillis(250))
                            .until(() -> Load.count(sinkPort) >= corpus.accepted());
                    double seconds = (System.nanoTime() - start) / 1e9;
                    assertThat(Load.ids(sinkPort)).isEqualTo(corpus.acceptedIds());
                    return new Figures(
                            millis, idle, published.perSecond(), corpus.accepted() / seconds, sink.peakBytes());
                }
            }
        } finally {
            System.setProperty("service.binary", before == null ? "" : before);
        }
    }

    /** Asks again and again from the moment of the exec, so that the first answer is not missed. */
    private static double start(Path folder) throws Exception {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < STARTS; i++) {
            int port = ServiceProcess.freePort();
            ProcessBuilder builder = new ProcessBuilder(ServiceCommand.of(List.of(
                            "-Dquarkus.http.host=127.0.0.1",
                            "-Dquarkus.http.port=" + port,
                            "-Dquarkus.management.port=0",
                            "-Dgrasp.data-dir=" + folder.resolve("start"))))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("start.log").toFile());
            long begin = System.nanoTime();
            Process process = builder.start();
            try {
                while (!answers(port)) {
                    assertThat(process.isAlive()).isTrue();
                    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.MINUTES.toNanos(1));
                }
                millis.add((System.nanoTime() - begin) / 1e6);
            } finally {
                process.destroy();
                process.waitFor(20, TimeUnit.SECONDS);
            }
        }
        return millis.stream().sorted().toList().get(STARTS / 2);
    }

    private static boolean answers(int port) {
        try (RawClient client = new RawClient(port)) {
            client.send("[\"REQ\",\"first\",{\"limit\":1}]");
            client.read((message, length) -> !RawClient.is("EOSE", message, length));
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }
}
