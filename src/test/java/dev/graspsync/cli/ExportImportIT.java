package dev.graspsync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Tag;
import dev.graspsync.process.CommandRun;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.wire.EventJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store as a file of events, and back. */
class ExportImportIT {

    private static final String DOMAIN = "-Dgrasp.domain=relay.example";

    @TempDir
    Path folder;

    private final Corpus corpus = Corpus.generate(5, 20, 20, 100, "relay.example");

    private Path write(String name, List<Corpus.Item> items, String... furtherLines) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Corpus.Item item : items) {
            out.writeBytes(item.json());
            out.write('\n');
        }
        for (String line : furtherLines) {
            out.writeBytes((line + "\n").getBytes(UTF_8));
        }
        return Files.write(folder.resolve(name), out.toByteArray());
    }

    private CommandRun run(String... arguments) throws Exception {
        return CommandRun.of(folder, arguments);
    }

    private static Set<String> ids(Path export) throws IOException {
        return Files.readAllLines(export).stream()
                .map(line -> EventJson.read(line.getBytes(UTF_8)).id().hex())
                .collect(Collectors.toSet());
    }

    @Test
    void whatThePolicyTakesIsStoredInWhateverOrderItComes() throws Exception {
        List<Corpus.Item> shuffled = new ArrayList<>(corpus.items());
        Collections.shuffle(shuffled, new Random(1));
        Path file = write("events.jsonl", shuffled);

        CommandRun imported = run("import", file.toString(), DOMAIN, "-Dgrasp.data-dir=data");
        CommandRun exported = run("export", "out.jsonl", "-Dgrasp.data-dir=data");

        // The noise is left out, and that is said.
        assertThat(imported.exitCode()).as(imported.toString()).isEqualTo(4);
        assertThat(imported.out()).contains(corpus.accepted() + "  stored", "refused: blocked:");
        assertThat(imported.err()).contains("imported", "done");
        assertThat(exported.exitCode()).as(exported.toString()).isZero();
        assertThat(ids(folder.resolve("out.jsonl"))).isEqualTo(corpus.acceptedIds());
    }

    @Test
    void anExportIsTakenWholeAgainByAll() throws Exception {
        Path file = write("events.jsonl", corpus.items());
        run("import", file.toString(), DOMAIN, "-Dgrasp.data-dir=data");
        run("export", "out.jsonl", "-Dgrasp.data-dir=data");

        // Another domain, so that the policy alone would refuse all of it.
        CommandRun policy = run("import", "out.jsonl", "-Dgrasp.data-dir=policy");
        CommandRun all = run("import", "--all", "out.jsonl", "-Dgrasp.data-dir=all");
        CommandRun again = run("import", "--all", "out.jsonl", "-Dgrasp.data-dir=all");
        run("export", "again.jsonl", "-Dgrasp.data-dir=all");

        assertThat(policy.exitCode()).isEqualTo(4);
        assertThat(policy.out()).contains("           0  stored");
        assertThat(all.exitCode()).as(all.toString()).isZero();
        assertThat(all.out()).contains(corpus.accepted() + "  stored");
        assertThat(again.exitCode()).as(again.toString()).isZero();
        assertThat(again.out()).contains("           0  stored", corpus.accepted() + "  known already");
        assertThat(ids(folder.resolve("again.jsonl"))).isEqualTo(corpus.acceptedIds());
    }

    @Test
    void anExportIsRestoredWithDeletionsVanishingsAndWhatIsOld() throws Exception {
        Tag about = Tag.of("a", corpus.addresses().getFirst());
        long now = Instant.now().getEpochSecond();
        Event deleted = TestKeys.BOB.sign(1621, now - 50, List.of(about), "wrong");
        Event deletion =
                TestKeys.BOB.sign(5, now - 40, List.of(Tag.of("e", deleted.id().hex())), "");
        Event vanished = TestKeys.CAROL.sign(1621, now - 50, List.of(about), "private");
        Event vanishing = TestKeys.CAROL.sign(62, now - 40, List.of(Tag.of("relay", "wss://relay.example")), "");
        Event expiring = expiring(about, now + 3_600);
        Event expired = expiring(about, now - 1);
        List<Corpus.Item> all = new ArrayList<>(corpus.items());
        Stream.of(deleted, deletion, vanished, vanishing, expiring)
                .forEach(event -> all.add(Corpus.Item.of(event, true)));
        Set<String> expected = new HashSet<>(corpus.acceptedIds());
        Stream.of(deletion, vanishing, expiring)
                .forEach(event -> expected.add(event.id().hex()));

        run("import", write("events.jsonl", all).toString(), DOMAIN, "-Dgrasp.data-dir=data");
        run("export", "out.jsonl", "-Dgrasp.data-dir=data");
        Path export = folder.resolve("out.jsonl");
        assertThat(ids(export)).isEqualTo(expected);

        // Where the service has another name, and takes nothing from long ago.
        Files.write(export, List.of(new String(EventJson.write(expired), UTF_8)), StandardOpenOption.APPEND);
        CommandRun restored =
                run("import", "--all", "out.jsonl", "-Dgrasp.relay.created-at-lower-limit=1d", "-Dgrasp.data-dir=all");
        run("export", "again.jsonl", "-Dgrasp.data-dir=all");

        assertThat(restored.exitCode()).as(restored.toString()).isZero();
        assertThat(restored.out())
                .contains(expected.size() + "  stored", "1  refused: invalid: this event has expired");
        assertThat(ids(folder.resolve("again.jsonl"))).isEqualTo(expected);
        CommandRun undone = run(
                "import",
                "--all",
                write("gone.jsonl", List.of(Corpus.Item.of(deleted, true), Corpus.Item.of(vanished, true)))
                        .toString(),
                "-Dgrasp.data-dir=all");
        assertThat(undone.out())
                .as(undone.toString())
                .contains("           0  stored", "its author deleted this event", "its author asked to vanish");
    }

    private static Event expiring(Tag about, long at) {
        return TestKeys.ALICE.sign(1621, at - 7_200, List.of(about, Tag.of("expiration", Long.toString(at))), "");
    }

    @Test
    void whatIsDamagedInTheStoreIsNamedAndLeftOut() throws Exception {
        Event good = TestKeys.BOB.sign(1, 1_700_000_000, List.of(), "hello");
        Event other = TestKeys.BOB.sign(1, 1_700_000_001, List.of(), "hello again");
        Event damaged = new Event(
                other.id(), other.pubkey(), other.createdAt(), other.kind(), other.tags(), "goodbye", other.sig());
        try (EventStore store = H2EventStore.open(folder.resolve("data"), 16);
                WriteBatch batch = store.begin()) {
            for (Event event : List.of(good, damaged)) {
                batch.save(new EncodedEvent(event, EventJson.write(event)), 0, Provenance.DIRECT, 1_700_000_002);
            }
            batch.commit();
        }

        CommandRun run = run("export", "out.jsonl", "-Dgrasp.data-dir=data");

        assertThat(run.exitCode()).as(run.toString()).isEqualTo(4);
        assertThat(run.err()).contains("event " + damaged.id() + " is damaged in the store");
        assertThat(ids(folder.resolve("out.jsonl"))).containsExactly(good.id().hex());
    }

    @Test
    void badLinesAreNamedAndTheOthersStored() throws Exception {
        List<Corpus.Item> all =
                corpus.items().stream().filter(Corpus.Item::accepted).toList();
        List<Corpus.Item> accepted = all.subList(0, all.size() - 1);
        String forged = new String(all.getLast().json(), UTF_8).replaceFirst("\"content\":\"", "\"content\":\"forged ");
        Path file = write("events.jsonl", accepted, "", "{\"id\":", "hello", forged, "[\"EVENT\",{}]");
        int last = accepted.size();

        CommandRun run = run("import", file.toString(), DOMAIN, "-Dgrasp.data-dir=data");

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.out()).contains(last + "  stored", "4  no valid event");
        assertThat(run.err())
                .contains("line " + (last + 2) + ": ", "line " + (last + 3) + ": ", "line " + (last + 5) + ": ")
                .contains("line " + (last + 4) + ": invalid:");
    }

    @Test
    void aStoreInUseIsLeftAlone() throws Exception {
        Path file = write("events.jsonl", corpus.items());
        try (ServiceProcess service = ServiceProcess.start(folder.resolve("data"), "relay.example")) {
            for (CommandRun run : List.of(
                    run("export", "out.jsonl", "-Dgrasp.data-dir=data"),
                    run("import", file.toString(), "-Dgrasp.data-dir=data"))) {
                assertThat(run.exitCode()).isEqualTo(1);
                assertThat(run.err().strip())
                        .contains("in use by another process")
                        .hasLineCount(1);
            }
            assertThat(Load.count(service.port())).isZero();
        }
        CommandRun nowhere = run("export", "out.jsonl", "-Dgrasp.data-dir=nowhere");
        assertThat(nowhere.exitCode()).isEqualTo(1);
        assertThat(nowhere.err()).contains("no store in");
        assertThat(folder.resolve("nowhere")).doesNotExist();
    }
}
