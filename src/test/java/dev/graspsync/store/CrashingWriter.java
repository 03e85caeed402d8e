package dev.graspsync.store;

import dev.graspsync.nostr.Event;
import dev.graspsync.store.h2.H2EventStore;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes without end and prints each id once it is committed: {@link CrashTest} kills it in the middle of that. */
final class CrashingWriter {

    private CrashingWriter() {}

    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        long seed = Long.parseLong(args[1]);
        RandomEvents world = new RandomEvents(seed);
        Random random = new Random(seed);
        PrintStream out = new PrintStream(System.out, false, java.nio.charset.StandardCharsets.US_ASCII);
        H2EventStore store = H2EventStore.open(folder, 4);
        while (true) {
            List<String> saved = new ArrayList<>();
            try (WriteBatch batch = store.begin()) {
                for (int i = random.nextInt(200); i >= 0; i--) {
                    Event event = world.next();
                    if (batch.save(RandomEvents.encode(event), 1, Provenance.DIRECT, 0) instanceof SaveResult.Saved) {
                        saved.add(event.id().hex());
                    }
                }
                batch.commit();
            }
            saved.forEach(out::println);
            out.flush();
            if (random.nextInt(10) == 0) {
                store.maintain();
            }
        }
    }
}
