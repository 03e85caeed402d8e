package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that others wrote, against the packaged service: the tests in src/test/interop. */
class InteropIT {

    private static final Path SCRIPTS = Path.of("src/test/interop");

    @TempDir
    Path folder;

    @Test
    void nostrToolsPublishesReadsAndStaysSubscribed() throws Exception {
        assumeThat(isInstalled("node") && isInstalled("npm"))
                .as("node and npm are installed; without them the interop tests are skipped")
                .isTrue();
        Path copy = folder.resolve("interop");
        Files.createDirectory(copy);
        for (String name : new String[] {"package.json", "package-lock.json", ".npmrc", "nostr-tools.test.js"}) {
            Files.copy(SCRIPTS.resolve(name), copy.resolve(name));
        }
        run(copy, "0", "npm", "ci", "--no-audit", "--no-fund");
        int port = PackagedService.freePort();
        Map<String, String> properties = Map.of(
                "grasp.domain", "localhost:" + port,
                "quarkus.http.port", Integer.toString(port),
                "grasp.data-dir", folder.resolve("data").toString());
        try (PackagedService service = new PackagedService(folder, properties).started()) {
            assertThat(service.output()).contains("localhost:" + port);
            run(copy, Integer.toString(port), "node", "--test");
        }
    }

    private static boolean isInstalled(String command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    private static void run(Path in, String port, String... command) throws Exception {
        Path output = in.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("RELAY_PORT", port);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS))
                    .as(Files.readString(output))
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            process.destroy();
        }
    }
}
