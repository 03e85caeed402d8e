package dev.graspsync.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A folder with a package.json, whose scripts run in node. */
public record NodeFolder(Path path) {

    /** Skips the tests, and says why, where there is no node; else there is what the scripts import. */
    public void assumeInstalled(String tests) throws IOException, InterruptedException {
        assumeThat(has("node") && has("npm"))
                .as("node and npm are installed; without them " + tests + " are skipped")
                .isTrue();
        if (run("npm", "ci", "--no-audit", "--no-fund", "--prefer-offline") != 0) {
            throw new IllegalStateException("npm ci failed in " + path);
        }
    }

    /** Whether a program can be run. */
    public boolean has(String program) throws InterruptedException {
        try {
            return run(program, "--version") == 0;
        } catch (IOException notFound) {
            return false;
        }
    }

    private int run(String... command) throws IOException, InterruptedException {
        Process process =
                builder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IOException(List.of(command) + " did not end");
        }
        return process.exitValue();
    }

    /** Starts a script that says {@code listening} when it does. */
    Process startListening(String... command) throws IOException {
        Process started = builder(command).start();
        if (!"listening".equals(started.inputReader(UTF_8).readLine())) {
            started.destroyForcibly();
            throw new IllegalStateException(List.of(command) + " did not start");
        }
        return started;
    }

    public ProcessBuilder builder(String... command) {
        return new ProcessBuilder(command).directory(path.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
    }
}
