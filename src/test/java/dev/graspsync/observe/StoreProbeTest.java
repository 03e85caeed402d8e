package dev.graspsync.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.StoreFailure;
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
    private boolean broken;
    private int reads;

    private void read() {
        reads++;
        if (broken) {
            throw new StoreFailure("the disk is gone");
        }
    }

    @Test
    void aStoreThatBreaksIsFoundOutAfterSomeSecondsAndSoIsThatItIsWell() {
        StoreProbe probe = new StoreProbe(this::read, () -> now);
        assertThat(probe.problem()).isEmpty();

        broken = true;
        assertThat(probe.problem()).isEmpty();
        assertThat(reads).as("it does not look each time").isEqualTo(1);
        now = now.plusSeconds(6);
        assertThat(probe.problem()).contains("the disk is gone");

        broken = false;
        now = now.plusSeconds(6);
        assertThat(probe.problem()).isEmpty();
    }

    @Test
    void aClockThatGoesBackDoesNotStopIt() {
        StoreProbe probe = new StoreProbe(this::read, () -> now);
        assertThat(probe.problem()).isEmpty();
        broken = true;
        now = now.minusSeconds(3_600);
        assertThat(probe.problem()).contains("the disk is gone");
    }

    @Test
    void anEmptyStoreCanBeReadAndSoCanOneWithEvents() {
        try (EventStore store = H2EventStore.open(folder, 4)) {
            assertThat(new StoreProbe(store, () -> now).problem()).isEmpty();
            try (WriteBatch batch = store.begin()) {
                batch.save(EventJson.encode(TestKeys.ALICE.sign(1, 1_000, List.of(), "")), 1, Provenance.DIRECT, 1_000);
                batch.commit();
            }
            assertThat(new StoreProbe(store, () -> now).problem()).isEmpty();
        }
    }
}
