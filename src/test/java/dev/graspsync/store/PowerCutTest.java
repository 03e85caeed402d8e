package dev.graspsync.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.store.h2.PowerCut;
import dev.graspsync.store.h2.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.h2.mvstore.MVStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unlike a kill, a power cut also takes what the system has not yet written to the disk. */
class PowerCutTest {

    private static final StoreOptions OPTIONS = StoreOptions.usual(4).withScheme(PowerCut.SCHEME);
    private static final int CUTS = 12;

    @TempDir
    Path folder;

    @Test
    void aCommitEndsWhenTheFileWasForced() {
        PowerCut.on(Long.MAX_VALUE);
        RandomEvents world = new RandomEvents(1);
        try (EventStore store = H2EventStore.open(folder, OPTIONS)) {
            for (int i = 0; i < 20; i++) {
                try (WriteBatch batch = store.begin()) {
                    batch.save(RandomEvents.encode(world.next()), 1, Provenance.DIRECT, 0);
                    batch.commit();
                }
                assertThat(PowerCut.unforced()).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatWasAcknowledgedSurvives(long seed) throws IOException {
        Random random = new Random(seed);
        RandomEvents world = new RandomEvents(seed);
        Set<EventId> acknowledged = new HashSet<>();
        for (int cut = 0; cut < CUTS; cut++) {
            PowerCut.on(1 + random.nextInt(120));
            writeUntilTheCut(world, random, acknowledged);
            if (Files.exists(folder.resolve("events.mv"))) {
                PowerCut.lose(folder.resolve("events.mv"), random);
            }
            PowerCut.on(Long.MAX_VALUE);
            try (EventStore store = H2EventStore.open(folder, OPTIONS)) {
                assertThat(acknowledged).as("seed %d, cut %d", seed, cut).allMatch(store::isKnown);
                assertThat(count(store))
                        .as("seed %d, cut %d", seed, cut)
                        .isEqualTo(store.tail(1, Integer.MAX_VALUE, Long.MAX_VALUE)
                                .events()
                                .size());
            }
        }
        assertThat(acknowledged).hasSizeGreaterThan(100);
    }

    private void writeUntilTheCut(RandomEvents world, Random random, Set<EventId> acknowledged) {
        try (EventStore store = H2EventStore.open(folder, OPTIONS)) {
            for (int i = 0; i < 10_000; i++) {
                List<EventId> saved = new ArrayList<>();
                try (WriteBatch batch = store.begin()) {
                    for (int left = random.nextInt(40); left >= 0; left--) {
                        Event event = world.next();
                        if (batch.save(RandomEvents.encode(event), 1, Provenance.DIRECT, 0)
                                instanceof SaveResult.Saved) {
                            saved.add(event.id());
                        }
                    }
                    batch.commit();
                }
                acknowledged.addAll(saved);
                if (random.nextInt(10) == 0) {
                    store.maintain();
                }
            }
            fail("the power did not fail");
        } catch (StoreFailure | MVStoreException cut) {
            // as it is meant to
        }
    }

    private static int count(EventStore store) {
        int count = 0;
        try (EventCursor cursor = store.query(List.of(Filter.ALL), Integer.MAX_VALUE, 0)) {
            while (cursor.next() != null) {
                count++;
            }
        }
        return count;
    }
}
