package dev.graspsync.store.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store costs as it grows and changes: room on the disk, and what has to be read to open it. */
class StoreGrowthTest {

    private static final PublicKey AUTHOR = new PublicKey(1, 2, 3, 4);
    private static final String CONTENT = "x".repeat(1_000);
    /** Head of a record, and the id of the event that made it go. */
    private static final int TOMBSTONE = 118;

    private final Random random = new Random(1);

    @TempDir
    Path folder;

    @BeforeEach
    void registerDisk() {
        SmallDisk.register();
    }

    @Test
    void theFileStaysWithinASmallMultipleOfItsLiveData() throws IOException {
        StoreOptions atOnce = StoreOptions.usual(4).withRetention(Duration.ZERO);
        int addresses = 1_000;
        int versions = 20;
        try (H2EventStore store = H2EventStore.open(folder, atOnce)) {
            for (int version = 0; version < versions; version++) {
                for (int from = 0; from < addresses; from += 200) {
                    try (WriteBatch batch = store.begin()) {
                        for (int i = from; i < from + 200; i++) {
                            save(batch, 30618, 1_000 + version, Tag.of("d", "repo-" + i));
                        }
                        batch.commit();
                    }
                }
            }
            for (int i = 0; i < 500 && store.maintain(); i++) {
                // until there is nothing more to gain
            }
            assertThat(count(store)).isEqualTo(addresses);
            long live = addresses * (CONTENT.length() + 100L) + addresses * (versions - 1L) * TOMBSTONE;
            assertThat(Files.size(folder.resolve("events.mv"))).isLessThan(3 * live);
        }
    }

    @Test
    void openingALargeStoreReadsLittleOfIt() throws IOException {
        long small = bytesReadToOpen(folder.resolve("small"), 5_000);
        long large = bytesReadToOpen(folder.resolve("large"), 100_000);
        long file = Files.size(folder.resolve("large").resolve("events.mv"));
        assertThat(large).as("of %d bytes; the small store: %d", file, small).isLessThan(file / 20);
    }

    @Test
    void mergesBesideTheBatchesLoseNothing() {
        try (H2EventStore store = H2EventStore.open(folder, 16)) {
            fill(store, 40_000);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> store.runSizes().stream().anyMatch(entries -> entries > 100_000));
            assertThat(count(store)).isEqualTo(40_000);
        }
        try (H2EventStore store = H2EventStore.open(folder, 16)) {
            assertThat(count(store)).isEqualTo(40_000);
            assertThat(store.runSizes()).hasSizeLessThan(40);
        }
    }

    private long bytesReadToOpen(Path store, int events) {
        StoreOptions counted = StoreOptions.usual(16).withScheme(SmallDisk.SCHEME);
        try (H2EventStore filled = H2EventStore.open(store, counted)) {
            fill(filled, events);
        }
        long before = SmallDisk.bytesRead();
        try (H2EventStore opened = H2EventStore.open(store, counted)) {
            long read = SmallDisk.bytesRead() - before;
            assertThat(opened.lastSeq()).isEqualTo(events);
            return read;
        }
    }

    private void fill(H2EventStore store, int events) {
        for (int from = 0; from < events; from += 1_000) {
            try (WriteBatch batch = store.begin()) {
                for (int i = from; i < from + 1_000; i++) {
                    save(batch, 1621, 1_000 + i, Tag.of("a", "30617:x:" + i % 100), Tag.of("e", "root" + i));
                }
                batch.commit();
            }
        }
    }

    private void save(WriteBatch batch, int kind, long createdAt, Tag... tags) {
        EventId id = new EventId(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
        Event event = new Event(id, AUTHOR, createdAt, kind, List.of(tags), CONTENT, Signature.ofBytes(new byte[64]));
        batch.save(new EncodedEvent(event, CONTENT.getBytes(UTF_8)), 1, Provenance.DIRECT, 0);
    }

    private static int count(H2EventStore store) {
        int count = 0;
        try (EventCursor cursor = store.query(List.of(Filter.ALL), Integer.MAX_VALUE, 0)) {
            while (cursor.next() != null) {
                count++;
            }
        }
        return count;
    }
}
