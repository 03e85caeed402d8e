package dev.graspsync.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.wire.EventJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 at any moment loses nothing acknowledged, and the store opens again: -Dcrash.rounds=N for more of it. */
class CrashTest {

    private static final int ROUNDS = Integer.getInteger("crash.rounds", 200);
    /** A fresh folder now and then: the first commits of a store are worth killing too. */
    private static final int ROUNDS_PER_FOLDER = 20;

    private static final int ORACLE_ROUNDS = Math.max(2, ROUNDS / 10);

    @TempDir
    Path temp;

    @Test
    void whatWasAcknowledgedSurvivesEveryKill() throws IOException, InterruptedException {
        long seed = Long.getLong("crash.seed", System.nanoTime());
        Random random = new Random(seed);
        Set<EventId> acknowledged = new HashSet<>();
        int total = 0;
        for (int round = 0; round < ROUNDS; round++) {
            if (round % ROUNDS_PER_FOLDER == 0) {
                acknowledged.clear();
            }
            Path folder = temp.resolve("store" + round / ROUNDS_PER_FOLDER);
            int before = acknowledged.size();
            writeAndKill(folder, seed + round, false, random.nextInt(3_000), acknowledged);
            total += acknowledged.size() - before;
            try (EventStore store = H2EventStore.open(folder, 4)) {
                for (EventId id : acknowledged) {
                    assertThat(store.isKnown(id))
                            .as("-Dcrash.seed=%d, round %d: %s", seed, round, id)
                            .isTrue();
                }
                assertIndexed(store, seed, round);
            }
        }
        System.out.printf("%d kills, %d acknowledged events, all there (seed %d)%n", ROUNDS, total, seed);
        assertThat(total).isGreaterThan(ROUNDS);
    }

    /** Not only its id: deletions, newer versions and requests to vanish have done what they do, and nothing else has. */
    @Test
    void whatIsThereAfterAKillIsWhatTheOracleHas() throws IOException, InterruptedException {
        long seed = Long.getLong("crash.seed", System.nanoTime());
        Random random = new Random(seed);
        NaiveStore oracle = new NaiveStore();
        Map<EventId, Event> written = new HashMap<>();
        Path folder = temp.resolve("oracle");
        for (int round = 0; round < ORACLE_ROUNDS; round++) {
            int committed = writeAndKill(folder, seed + round, true, random.nextInt(500), new HashSet<>());
            CrashingWriter.Batches again = new CrashingWriter.Batches(seed + round, true);
            for (int i = 0; i < committed; i++) {
                save(again.next(), oracle, written);
                again.maintains();
            }
            try (EventStore store = H2EventStore.open(folder, 4)) {
                List<StoredEvent> found = all(store);
                if (!ids(found).equals(oracle.query(List.of(Filter.ALL), Integer.MAX_VALUE, 0))) {
                    // One more batch may have been committed, of which the writer could not tell any more.
                    save(again.next(), oracle, written);
                }
                assertThat(ids(found))
                        .as("-Dcrash.seed=%d, round %d", seed, round)
                        .isEqualTo(oracle.query(List.of(Filter.ALL), Integer.MAX_VALUE, 0));
                for (StoredEvent event : found) {
                    Event expected = Objects.requireNonNull(written.get(event.id()));
                    assertThat(event.json())
                            .isEqualTo(EventJson.encode(expected).json());
                    assertThat(event.tags()).isEqualTo(expected.tags());
                }
            }
        }
        assertThat(written).hasSizeGreaterThan(ORACLE_ROUNDS);
    }

    private static void save(List<Event> batch, NaiveStore oracle, Map<EventId, Event> written) {
        for (Event event : batch) {
            written.put(event.id(), event);
            oracle.save(event, 0);
        }
    }

    private static List<StoredEvent> all(EventStore store) {
        List<StoredEvent> all = new ArrayList<>();
        try (EventCursor cursor = store.query(List.of(Filter.ALL), Integer.MAX_VALUE, 0)) {
            for (StoredEvent event = cursor.next(); event != null; event = cursor.next()) {
                all.add(event);
            }
        }
        return all;
    }

    private static List<EventId> ids(List<StoredEvent> events) {
        return events.stream().map(StoredEvent::id).toList();
    }

    /** What the log holds is found through the index as well: the two are committed together. */
    private static void assertIndexed(EventStore store, long seed, int round) {
        List<StoredEvent> log = store.tail(1, Integer.MAX_VALUE, Long.MAX_VALUE).events();
        assertThat(all(store)).as("-Dcrash.seed=%d, round %d", seed, round).hasSameSizeAs(log);
    }

    /** Returns how many batches were acknowledged to their end. */
    private static int writeAndKill(
            Path folder, long seed, boolean vanishing, int acknowledgements, Set<EventId> acknowledged)
            throws IOException, InterruptedException {
        int batches = 0;
        Process writer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingWriter.class.getName(),
                        folder.toString(),
                        Long.toString(seed),
                        Boolean.toString(vanishing))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = writer.inputReader(StandardCharsets.US_ASCII)) {
            String line;
            while ((line = out.readLine()) != null) {
                // The last line may be torn by the kill.
                EventId.parse(line).ifPresent(acknowledged::add);
                batches += line.equals(CrashingWriter.COMMITTED) ? 1 : 0;
                if (acknowledgements-- == 0) {
                    // Not the process itself, which would close its output: what it acknowledged must be read to the
                    // end.
                    writer.toHandle().destroyForcibly();
                }
            }
        }
        writer.waitFor();
        return batches;
    }
}
