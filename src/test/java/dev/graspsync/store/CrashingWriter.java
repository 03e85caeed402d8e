package dev.graspsync.store;

import dev.graspsync.nostr.Event;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.wire.EventJson;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes without end and prints each id once it is committed: {@link CrashTest} kills it in the middle of that. */
final class CrashingWriter {

    /** Printed after the ids of a batch that is committed. */
    static final String COMMITTED = "committed";

    /** What one seed writes, so that it can be told afterwards what a killed writer has written. */
    static final class Batches {

        private final RandomEvents world;
        private final Random random;
        private final boolean vanishing;

        Batches(long seed, boolean vanishing) {
            this.world = new RandomEvents(seed);
            this.random = new Random(seed);
            this.vanishing = vanishing;
        }

        List<Event> next() {
            List<Event> events = new ArrayList<>();
            for (int i = random.nextInt(200); i >= 0; i--) {
                boolean vanish = vanishing && random.nextInt(300) == 0;
                events.add(vanish ? world.vanish(world.author()) : world.next());
            }
            return events;
        }

        boolean maintains() {
            return random.nextInt(10) == 0;
        }
    }

    private CrashingWriter() {}

    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        Batches batches = new Batches(Long.parseLong(args[1]), Boolean.parseBoolean(args[2]));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        H2EventStore store = H2EventStore.open(folder, 4);
        while (true) {
            List<String> saved = new ArrayList<>();
            try (WriteBatch batch = store.begin()) {
                for (Event event : batches.next()) {
                    if (batch.save(EventJson.encode(event), 1, Provenance.DIRECT, 0) instanceof SaveResult.Saved) {
                        saved.add(event.id().hex());
                    }
                }
                batch.commit();
            }
            saved.forEach(out::println);
            out.println(COMMITTED);
            out.flush();
            if (batches.maintains()) {
                store.maintain();
            }
        }
    }
}
