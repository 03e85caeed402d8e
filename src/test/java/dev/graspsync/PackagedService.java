package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.ServiceCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The packaged service as a process of its own, as an operator runs it. */
final class PackagedService implements AutoCloseable {

    private final Path output;
    private final Process process;

    /** @param properties configuration keys; ports are free ones unless named */
    PackagedService(Path folder, Map<String, String> properties) throws IOException {
        output = Files.createTempFile(folder, "output", ".txt");
        List<String> command = new ArrayList<>();
        command.add("-Dquarkus.http.host=127.0.0.1");
        command.add("-Dquarkus.http.port=" + freePort());
        command.add("-Dquarkus.management.port=" + freePort());
        properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
        process = new ProcessBuilder(ServiceCommand.of(command))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Waits until it says that it listens. */
    PackagedService started() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!output().contains("Listening on")) {
            assertThat(process.isAlive()).as(output()).isTrue();
            assertThat(System.nanoTime()).as("started in time").isLessThan(deadline);
            pause();
        }
        return this;
    }

    private void pause() {
        try {
            process.waitFor(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    /** Waits for its end and returns its exit code. */
    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended in time").isTrue();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
