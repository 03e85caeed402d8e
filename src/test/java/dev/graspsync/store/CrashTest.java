package dev.graspsync.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.store.h2.H2EventStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 at any moment loses nothing acknowledged, and the store opens again: -Dcrash.rounds=N for more of it. */
class CrashTest {

    private static final int ROUNDS = Integer.getInteger("crash.rounds", 200);
    /** A fresh folder now and then: the first commits of a store are worth killing too. */
    private static final int ROUNDS_PER_FOLDER = 20;

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
            writeAndKill(folder, seed + round, random.nextInt(3_000), acknowledged);
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

    /** What the log holds is found through the index as well: the two are committed together. */
    private static void assertIndexed(EventStore store, long seed, int round) {
        List<StoredEvent> log = store.tail(1, Integer.MAX_VALUE, Long.MAX_VALUE).events();
        int found = 0;
        try (EventCursor cursor = store.query(List.of(Filter.ALL), Integer.MAX_VALUE, 0)) {
            while (cursor.next() != null) {
                found++;
            }
        }
        assertThat(found).as("-Dcrash.seed=%d, round %d", seed, round).isEqualTo(log.size());
    }

    private static void writeAndKill(Path folder, long seed, int acknowledgements, Set<EventId> acknowledged)
            throws IOException, InterruptedException {
        Process writer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingWriter.class.getName(),
                        folder.toString(),
                        Long.toString(seed))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = writer.inputReader(StandardCharsets.US_ASCII)) {
            String line;
            while ((line = out.readLine()) != null) {
                // The last line may be torn by the kill.
                EventId.parse(line).ifPresent(acknowledged::add);
                if (acknowledgements-- == 0) {
                    // Not the process itself, which would close its output: what it acknowledged must be read to the
                    // end.
                    writer.toHandle().destroyForcibly();
                }
            }
        }
        writer.waitFor();
    }
}
