package dev.graspsync.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.CommandRun;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sync from one relay, once. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SyncCommandIT {

    private static final String ALONE = "-Dgrasp.sync.enabled=false";
    private static final String SMALL_PAGES = "-Dgrasp.relay.max-limit=100";

    @TempDir
    Path folder;

    private final int from = ServiceProcess.freePort();
    private final int to = ServiceProcess.freePort();
    private final Corpus corpus =
            Corpus.generate(7, 30, 20, 0, Corpus.Places.local(List.of(from, to), "wss://relay.invalid"));

    private ServiceProcess source() throws Exception {
        ServiceProcess source = ServiceProcess.startAt(from, folder.resolve("source"), ALONE, SMALL_PAGES);
        Load.publish(from, corpus.items(), 2);
        return source;
    }

    @Test
    void everythingTheServiceHostsComesHome() throws Exception {
        try (ServiceProcess source = source()) {
            String[] command = {
                "sync", "--once", "--from", source.relayUrl(), "-Dgrasp.domain=127.0.0.1:" + to, "-Dgrasp.data-dir=data"
            };
            // As the service is configured for which it is called, which does not sync by itself.
            CommandRun first = CommandRun.of(folder, Map.of("GRASP_SYNC_ENABLED", "false"), command);
            CommandRun again = CommandRun.of(folder, command);

            assertThat(first.exitCode()).as(first.toString()).isZero();
            assertThat(first.out()).contains(String.format("%,d stored", corpus.accepted()));
            assertThat(first.err()).contains("synced 100 %");
            assertThat(again.exitCode()).as(again.toString()).isZero();
            assertThat(again.out()).contains(" 0 stored");
        }
        try (ServiceProcess service = ServiceProcess.startAt(to, folder.resolve("data"), ALONE)) {
            assertThat(Load.ids(service.port())).isEqualTo(corpus.acceptedIds());
        }
    }

    @Test
    void anotherRelayIsFilled() throws Exception {
        try (ServiceProcess source = source();
                ServiceProcess target = ServiceProcess.startAt(to, folder.resolve("target"), ALONE)) {
            CommandRun run =
                    CommandRun.of(folder, "sync", "--once", "--from", source.relayUrl(), "--to", target.relayUrl());

            assertThat(run.exitCode()).as(run.toString()).isZero();
            assertThat(Load.ids(to)).isEqualTo(corpus.acceptedIds());
        }
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void anotherRelayThatIsNotThereIsSaidInBoundedTime() throws Exception {
        try (ServiceProcess source = source()) {
            CommandRun run = CommandRun.of(
                    folder, "sync", "--from", source.relayUrl(), "--to", "ws://127.0.0.1:" + to, "--patience", "60");

            assertThat(run.exitCode()).as(run.toString()).isEqualTo(1);
            assertThat(run.err())
                    .contains("not complete: ws://127.0.0.1:" + to + " cannot be reached: ")
                    .contains(" events are to be published there")
                    .doesNotContain("nothing has moved");
        }
    }

    @Test
    void anotherRelayThatTakesNothingIsSaid() throws Exception {
        try (ServiceProcess source = source();
                // Known by another name than the announcements have for it.
                ServiceProcess target = ServiceProcess.start(folder.resolve("target"), "relay.example", ALONE)) {
            CommandRun run = CommandRun.of(
                    folder,
                    "sync",
                    "--from",
                    source.relayUrl(),
                    "--to",
                    target.relayUrl(),
                    "-Dgrasp.domain=127.0.0.1:" + to);

            assertThat(run.exitCode()).as(run.toString()).isEqualTo(4);
            assertThat(run.err()).contains(corpus.accepted() + " events are not taken by " + target.relayUrl());
        }
    }

    @Test
    void aNameThatNoAnnouncementHasIsExplained() throws Exception {
        try (ServiceProcess source = source()) {
            CommandRun policy =
                    CommandRun.of(folder, "sync", "--once", "--from", source.relayUrl(), "-Dgrasp.data-dir=policy");
            CommandRun all =
                    CommandRun.of(folder, "sync", "--all", "--from", source.relayUrl(), "-Dgrasp.data-dir=all");

            assertThat(policy.exitCode()).as(policy.toString()).isEqualTo(4);
            assertThat(policy.err()).contains("nothing was accepted", "localhost:8080", "grasp.domain", "--all");
            assertThat(all.exitCode()).as(all.toString()).isZero();
            assertThat(all.out()).contains(String.format("%,d stored", corpus.accepted()));
        }
    }

    @Test
    void aRelayThatIsNotThereIsSaidInBoundedTime() throws Exception {
        CommandRun gone = CommandRun.of(
                folder,
                "sync",
                "--from",
                "ws://127.0.0.1:" + from,
                "-Dgrasp.sync.backoff.base=1s",
                "-Dgrasp.data-dir=d");
        CommandRun url = CommandRun.of(folder, "sync", "--from", "relay");

        assertThat(gone.exitCode()).as(gone.toString()).isEqualTo(1);
        assertThat(gone.err()).contains("not complete: ws://127.0.0.1:" + from);
        assertThat(url.exitCode()).isEqualTo(2);
        assertThat(url.err()).contains("--from", "is not a ws:// or wss:// URL");
    }

    @Test
    void anInterruptedSyncKeepsWhatItHas() throws Exception {
        Path data = folder.resolve("data");
        try (ServiceProcess source = source()) {
            Process running = CommandRun.start(
                    folder,
                    Map.of(),
                    "sync",
                    "--from",
                    source.relayUrl(),
                    "-Dgrasp.domain=127.0.0.1:" + to,
                    "-Dgrasp.data-dir=" + data);
            Awaitility.await().until(() -> Files.exists(data.resolve("events.mv")));
            running.destroy();

            assertThat(running.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(running.exitValue()).isEqualTo(143);
        }
        CommandRun export = CommandRun.of(folder, "export", "out.jsonl", "-Dgrasp.data-dir=" + data);
        assertThat(export.exitCode()).as(export.toString()).isZero();
    }
}
