package dev.graspsync.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.CommandRun;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Help, versions, mistakes and the configuration. */
class CommandsIT {

    private static final String SECRET = "0123456789abcdef".repeat(4);

    @TempDir
    Path folder;

    @Test
    void helpNamesEveryCommand() throws Exception {
        CommandRun run = CommandRun.of(folder, "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("serve", "check-config", "sync", "export", "import", "health", "Exit codes");
    }

    @Test
    void theVersionIsTheProjects() throws Exception {
        CommandRun run = CommandRun.of(folder, "--version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).matches("(?s)grasp-sync [0-9]+\\.[0-9]+\\.[0-9]+\\S*\\R.*");
    }

    @Test
    void aMisspeltCommandOrOptionIsExplained() throws Exception {
        CommandRun command = CommandRun.of(folder, "exprt");
        CommandRun option = CommandRun.of(folder, "import", "--al", "-");

        assertThat(command.exitCode()).isEqualTo(2);
        assertThat(command.err()).contains("'exprt'", "Did you mean", "export");
        assertThat(option.exitCode()).isEqualTo(2);
        assertThat(option.err()).contains("--al", "--all");
    }

    @Test
    void theConfigurationIsShownWithItsSourcesAndWithoutSecrets() throws Exception {
        Files.createDirectory(folder.resolve("config"));
        Files.writeString(folder.resolve("config/application.properties"), "grasp.acceptance=relays\n");
        CommandRun run = CommandRun.of(
                folder,
                Map.of("GRASP_DOMAIN", "git.example.org", "GRASP_SYNC_SECRET_KEY", SECRET),
                "check-config",
                "-Dgrasp.sync.max-relays=7");

        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out())
                .containsPattern("grasp.domain +git.example.org +environment")
                .containsPattern("grasp.sync.max-relays +7 +-Dgrasp.sync.max-relays")
                .containsPattern("grasp.acceptance +relays +.*application.properties")
                .containsPattern("grasp.sync.secret-key +\\*+ +environment")
                .containsPattern("grasp.sync.batch-window +5s +default")
                .containsPattern("quarkus.http.port +8080 +default")
                .containsPattern("grasp.own-relay.url +\\(unset\\) +default")
                .doesNotContain(SECRET);
    }

    @Test
    void whatIsWrongWithTheConfigurationIsSaid() throws Exception {
        CommandRun values = CommandRun.of(
                folder,
                "check-config",
                "-Dgrasp.acceptance=everything",
                "-Dgrasp.relay.reader-timeout=soon",
                "-Dgrasp.relay.created-at-lower-limit=long",
                "-Dgrasp.domain=no domain",
                "-Dquarkus.http.prot=80");
        CommandRun key = CommandRun.of(folder, "check-config", "-Dgrasp.domian=x");
        CommandRun variable = CommandRun.of(folder, Map.of("GRASP_DOMIAN", "x"), "check-config");
        Path file = Files.createFile(folder.resolve("file"));
        CommandRun sense = CommandRun.of(
                folder,
                "check-config",
                "-Dgrasp.sync.secret-key=hush",
                "-Dgrasp.domain=no domain",
                "-Dgrasp.data-dir=" + file.resolve("data"));
        CommandRun url = CommandRun.of(folder, "check-config", "-Dgrasp.own-relay.url=wss://me:hush@relay.example/");

        assertThat(values.exitCode()).isEqualTo(1);
        assertThat(values.err())
                .contains(
                        "grasp.acceptance",
                        "archive",
                        "grasp.relay.reader-timeout",
                        "grasp.relay.created-at-lower-limit");
        // One mistake does not hide another, nor what is set.
        assertThat(values.err())
                .contains("grasp.domain: ", "quarkus.http.prot is not a key: did you mean quarkus.http.port?");
        assertThat(values.out())
                .containsPattern("grasp.acceptance +everything +-Dgrasp.acceptance")
                .containsPattern("grasp.sync.batch-window +5s +default");
        assertThat(key.exitCode()).isEqualTo(1);
        assertThat(key.err()).contains("grasp.domian is not a key: did you mean grasp.domain?");
        assertThat(variable.exitCode()).isEqualTo(1);
        assertThat(variable.err()).contains("grasp.domian is not a key: did you mean grasp.domain?");
        assertThat(sense.exitCode()).isEqualTo(1);
        assertThat(sense.err()).contains("grasp.sync.secret-key", "grasp.domain", "grasp.data-dir");
        assertThat(sense.toString()).doesNotContain("hush");
        assertThat(url.exitCode()).isEqualTo(1);
        assertThat(url.toString()).contains("grasp.own-relay.url").doesNotContain("hush");
    }

    @Test
    void serveByNameTakesPropertiesBehindIt() throws Exception {
        int port = ServiceProcess.freePort();
        Process serving = CommandRun.start(
                folder,
                Map.of(),
                "serve",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dquarkus.management.port=" + ServiceProcess.freePort(),
                "-Dgrasp.sync.enabled=false",
                "-Dgrasp.data-dir=data");
        try {
            Awaitility.await()
                    .atMost(1, TimeUnit.MINUTES)
                    .until(() -> CommandRun.ended(folder, 0).out().contains("Listening on: http://127.0.0.1:" + port));
            assertThat(Load.count(port)).isZero();
        } finally {
            serving.destroy();
        }
        assertThat(serving.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(serving.exitValue()).isEqualTo(143);
        assertThat(folder.resolve("data/events.mv")).exists();
    }

    @Test
    void healthAsksTheRunningService() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(folder.resolve("data"), "relay.example")) {
            String port = "-Dquarkus.management.port=" + service.managementPort();
            CommandRun live = CommandRun.of(folder, "health", "--live", port);
            assertThat(live.exitCode()).as(live.toString()).isZero();
        }
        CommandRun gone = CommandRun.of(folder, "health", "-Dquarkus.management.port=" + ServiceProcess.freePort());

        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(gone.out()).contains("does not answer");
    }
}
