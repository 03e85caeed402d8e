package dev.graspsync.relay;

import static dev.graspsync.TestKeys.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Filter;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.wire.EventJson;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventCountTest {

    private static final Instant NOW = Instant.ofEpochSecond(2_000);

    @TempDir
    Path folder;

    private H2EventStore store;

    @BeforeEach
    void storeFiveEvents() {
        store = H2EventStore.open(folder, 4);
        try (WriteBatch batch = store.begin()) {
            for (int i = 0; i < 5; i++) {
                batch.save(EventJson.encode(ALICE.sign(1, 1_000 + i, List.of(), "")), 1, Provenance.DIRECT, 1_000);
            }
            batch.commit();
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private EventCount count(int most, Filter... filters) {
        return EventCount.of(store, List.of(filters), NOW, most);
    }

    @Test
    void whatFitsIsCountedExactly() {
        assertThat(count(6, Filter.ALL)).isEqualTo(new EventCount(5, false));
        assertThat(count(5, Filter.ALL)).isEqualTo(new EventCount(5, false));
    }

    @Test
    void countingEndsAtTheMostAndSaysSo() {
        assertThat(count(4, Filter.ALL)).isEqualTo(new EventCount(4, true));
    }

    @Test
    void severalFiltersTogetherAreBoundedToo() {
        Filter early = Filter.ALL.withUntil(1_001);
        Filter late = Filter.ALL.withSince(1_002);
        assertThat(count(5, early, late)).isEqualTo(new EventCount(5, false));
        assertThat(count(4, early, late)).isEqualTo(new EventCount(4, true));
    }
}
