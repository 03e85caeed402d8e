package dev.graspsync.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The built service in a process of its own, on ports and in a folder of its own. */
final class ServiceProcess implements AutoCloseable {

    /** As the service is to be run, see docs/architecture.md. */
    private static final List<String> JVM = List.of("-Xmx384m", "-XX:+UseParallelGC", "-XX:ThreadPriorityPolicy=1");

    private static final Pattern LISTENING = Pattern.compile("Listening on: http://[^:]+:(\\d+)");

    private final Process process;
    private final Path log;
    private final int port;

    private ServiceProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.port = awaitPort();
    }

    static ServiceProcess start(Path folder, String domain, String... properties) throws IOException {
        Files.createDirectories(folder);
        Path log = Files.createTempFile(folder, "service", ".log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        String extra = System.getProperty("bench.service.args", "");
        if (!extra.isEmpty()) {
            command.addAll(List.of(extra.split(" ")));
        }
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Dquarkus.http.host=127.0.0.1");
        command.add("-Dquarkus.http.port=0");
        command.add("-Dquarkus.management.host=127.0.0.1");
        command.add("-Dquarkus.management.port=0");
        command.add("-Dgrasp.domain=" + domain);
        // The relay alone: the sync subscribes to it and would read every event once more.
        command.add("-Dgrasp.sync.enabled=false");
        command.add("-Dgrasp.data-dir=" + folder);
        command.addAll(List.of(properties));
        command.add("-jar");
        command.add(Path.of("target", "quarkus-app", "quarkus-run.jar").toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new ServiceProcess(process, log);
    }

    private int awaitPort() {
        int[] found = new int[1];
        Awaitility.await("the service's port in " + log)
                .atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    if (!process.isAlive()) {
                        throw new IllegalStateException("the service ended: " + Files.readString(log));
                    }
                    Matcher matcher = LISTENING.matcher(Files.readString(log));
                    found[0] = matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
                    return found[0] != 0;
                });
        return found[0];
    }

    int port() {
        return port;
    }

    Duration cpu() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    /** Stops it as an operator would. */
    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("the service did not stop within 30 s");
        }
    }
}
