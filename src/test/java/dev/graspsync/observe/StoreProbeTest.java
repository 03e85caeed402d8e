package dev.graspsync.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.wire.EventJson;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreProbeTest {

    @TempDir
    Path folder;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aStoreThatIsClosedIsFoundOutAfterSomeSeconds() {
        EventStore store = H2EventStore.open(folder, 4);
        try (WriteBatch batch = store.begin()) {
            Event event = TestKeys.ALICE.sign(1, 1_000, List.of(), "");
            batch.save(EventJson.encode(event), 1, Provenance.DIRECT, 1_000);
            batch.commit();
        }
        StoreProbe probe = new StoreProbe(store, () -> now);
        assertThat(probe.problem()).isEmpty();

        store.close();

        assertThat(probe.problem()).as("it does not look each time").isEmpty();
        now = now.plusSeconds(6);
        assertThat(probe.problem()).isPresent();
    }
}
