package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Event;
import dev.graspsync.process.CommandRun;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code sync --once} from relays that do not give all they have: exit code 0 is for what is complete alone. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SyncOnceIT {

    private static final int FAILED = 1;
    private static final int INCOMPLETE = 4;

    @TempDir
    Path folder;

    private final Corpus corpus = Corpus.generate(31, 20, 20, 0, "relay.example");
    private final List<Event> events =
            corpus.items().stream().map(Corpus.Item::event).toList();

    private CommandRun sync(RawRelay from) throws Exception {
        return CommandRun.of(
                folder,
                "sync",
                "--once",
                "--from",
                from.url().toString(),
                "--patience",
                "10",
                "-Dgrasp.domain=relay.example",
                "-Dgrasp.sync.backoff.base=500ms",
                "-Dgrasp.data-dir=data");
    }

    @Test
    void aSourceThatGivesAllIsComplete() throws Exception {
        try (RawRelay relay = new RawRelay(ScriptedRelays.capping(events, 50))) {
            CommandRun run = sync(relay);

            assertThat(run.exitCode()).as(run.toString()).isZero();
        }
        try (ServiceProcess service =
                ServiceProcess.start(folder.resolve("data"), "relay.example", "-Dgrasp.sync.enabled=false")) {
            assertThat(Load.ids(service.port())).isEqualTo(corpus.acceptedIds());
        }
    }

    @Test
    void aSourceThatVanishesMidwayIsNot() throws Exception {
        CompletableFuture<RawRelay> gone = new CompletableFuture<>();
        try (RawRelay relay = new RawRelay(
                ScriptedRelays.vanishing(events, 4, () -> gone.join().close()))) {
            gone.complete(relay);
            CommandRun run = sync(relay);

            assertThat(run.exitCode()).as(run.toString()).isEqualTo(INCOMPLETE);
            assertThat(run.err()).contains("not complete: " + relay.url(), "what is stored is kept");
            assertThat(run.out()).doesNotContain(" 0 stored");
        }
    }

    @Test
    void aSourceThatClosesEverythingIsNot() throws Exception {
        try (RawRelay relay = new RawRelay(ScriptedRelays.closesEverything())) {
            CommandRun run = sync(relay);

            assertThat(run.exitCode()).as(run.toString()).isEqualTo(FAILED);
            assertThat(run.err()).contains("not complete: ");
        }
    }

    @Test
    void aSourceThatFallsSilentIsNot() throws Exception {
        try (RawRelay relay = new RawRelay(ScriptedRelays.neverEnds())) {
            CommandRun run = sync(relay);

            assertThat(run.exitCode()).as(run.toString()).isEqualTo(FAILED);
            assertThat(run.err()).contains("not complete: ");
        }
    }
}
