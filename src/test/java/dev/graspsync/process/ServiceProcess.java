package dev.graspsync.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * The built service in a process of its own, on ports and in a folder of its own. The ports are chosen once, so that
 * announcements can name them before it runs, and it comes back to them and to its data when it is started again.
 */
public final class ServiceProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path folder;
    private final Path log;
    private final int port;
    private final int managementPort;
    private final List<String> command;
    private Process process;
    private long logBefore;

    /** How a stop that was asked for went. */
    public record Stopped(int exitCode, Duration time) {}

    private ServiceProcess(Path folder, String domain, int port, List<String> properties) throws IOException {
        this.folder = folder;
        this.port = port;
        this.managementPort = freePort();
        this.log = Files.createDirectories(folder).resolve("service.log");
        List<String> all = new ArrayList<>(List.of(
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dquarkus.management.host=127.0.0.1",
                "-Dquarkus.management.port=" + managementPort,
                "-Dgrasp.domain=" + domain,
                "-Dgrasp.data-dir=" + folder));
        all.addAll(properties);
        this.command = ServiceCommand.of(all);
        process = launch();
        awaitListening();
    }

    /** One that others know by a domain that leads nowhere, on any port. */
    public static ServiceProcess start(Path folder, String domain, String... properties) throws IOException {
        return new ServiceProcess(folder, domain, freePort(), List.of(properties));
    }

    /** One that announcements name by its address, 127.0.0.1 and this port. */
    public static ServiceProcess startAt(int port, Path folder, String... properties) throws IOException {
        return new ServiceProcess(folder, "127.0.0.1:" + port, port, List.of(properties));
    }

    /** A port that nobody listens at now. */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() throws IOException {
        Files.writeString(log, "", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        logBefore = Files.size(log);
        ProcessBuilder launched = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        launched.environment().putAll(ServiceCommand.ENVIRONMENT);
        return launched.start();
    }

    private void awaitListening() {
        Awaitility.await("the service listens, by " + log)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    String said = logSinceStart();
                    if (!process.isAlive()) {
                        throw new IllegalStateException("the service ended: " + said);
                    }
                    return said.contains("Listening on: http://");
                });
    }

    /** Starts it again, with its data, at its port. */
    public void startAgain() throws IOException {
        if (process.isAlive()) {
            throw new IllegalStateException("it still runs");
        }
        process = launch();
        awaitListening();
    }

    /** As a crash would: no hook runs, nothing is flushed. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("the service did not die");
        }
    }

    /** As an operator would, by SIGTERM. */
    public Stopped stop() throws InterruptedException {
        long start = System.nanoTime();
        process.destroy();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("the service did not stop by itself: " + log());
        }
        return new Stopped(process.exitValue(), Duration.ofNanos(System.nanoTime() - start));
    }

    /** Waits for its end, which it comes to by itself, and returns its exit code. */
    public int awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("the service did not end: " + log());
        }
        return process.exitValue();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public Path folder() {
        return folder;
    }

    public int port() {
        return port;
    }

    public int managementPort() {
        return managementPort;
    }

    public String relayUrl() {
        return "ws://127.0.0.1:" + port;
    }

    public Duration cpu() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** The most memory it ever had, as the kernel counts it: heap, code, buffers and all. */
    public long peakBytes() throws IOException {
        return memory("VmHWM:");
    }

    /** The memory it has now. */
    public long residentBytes() throws IOException {
        return memory("VmRSS:");
    }

    private long memory(String kind) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith(kind))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElse(0);
    }

    /** What it said since it was first started. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String logSinceStart() throws IOException {
        byte[] all = Files.readAllBytes(log);
        return new String(all, (int) logBefore, all.length - (int) logBefore, java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws InterruptedException {
        stop();
    }
}
