package dev.graspsync.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.H2EventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A store with many events, written without their signatures: opening it is all that is measured. */
record LargeStore(Path folder, int events) {

    private static final int BATCH = 5_000;
    private static final int CACHE_MEGABYTES = 32;

    static LargeStore write(Path folder, int events) {
        Random random = new Random(1);
        String content = "x".repeat(300);
        byte[] json = ("{\"content\":\"" + content + "\"}").getBytes(UTF_8);
        Signature signature = Signature.ofBytes(new byte[64]);
        try (H2EventStore store = H2EventStore.open(folder, CACHE_MEGABYTES)) {
            for (int from = 0; from < events; from += BATCH) {
                try (WriteBatch batch = store.begin()) {
                    for (int i = from; i < Math.min(events, from + BATCH); i++) {
                        EventId id =
                                new EventId(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
                        PublicKey author = new PublicKey(random.nextInt(500), 1, 2, 3);
                        List<Tag> tags = List.of(
                                Tag.of("a", "30617:" + author.hex() + ":repo-" + random.nextInt(1_000)),
                                Tag.of("p", author.hex()),
                                Tag.of("e", id.hex()));
                        Event event = new Event(id, author, 1_000_000 + i, 1621, tags, content, signature);
                        batch.save(new EncodedEvent(event, json), 1, Provenance.DIRECT, 0);
                    }
                    batch.commit();
                }
            }
        }
        return new LargeStore(folder, events);
    }

    /** Opens it some times in a row, and says how long each took. */
    List<Duration> open(int times) {
        List<Duration> taken = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            try (H2EventStore store = H2EventStore.open(folder, CACHE_MEGABYTES)) {
                taken.add(Duration.ofNanos(System.nanoTime() - start));
                assertThat(store.lastSeq()).isEqualTo(events);
            }
        }
        return taken;
    }

    long bytes() throws IOException {
        return Files.size(folder.resolve("events.mv"));
    }
}
