package dev.graspsync.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.LogCapture;
import dev.graspsync.TestKeys;
import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.H2EventStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HousekeepingTest {

    private static final Instant NOW = Instant.ofEpochSecond(2_000);

    @TempDir
    Path folder;

    @Test
    void removesWhatHasExpiredAndKeepsTheRest() {
        Event expired = TestKeys.ALICE.sign(1, 1_000, List.of(Tag.of("expiration", "1999")), "");
        Event kept = TestKeys.ALICE.sign(1, 1_000, List.of(Tag.of("expiration", "2001")), "");
        try (EventStore store = H2EventStore.open(folder, 4);
                Housekeeping housekeeping = new Housekeeping(store, () -> NOW, Duration.ofMillis(10), () -> {})) {
            try (WriteBatch batch = store.begin()) {
                batch.save(encoded(expired), 1, Provenance.DIRECT, 1_000);
                batch.save(encoded(kept), 1, Provenance.DIRECT, 1_000);
                batch.commit();
            }
            assertThat(store.find(expired.id())).isPresent();
            housekeeping.start();
            Awaitility.await().until(() -> store.find(expired.id()).isEmpty());
            assertThat(store.find(kept.id())).isPresent();
            assertThat(store.isKnown(expired.id())).as("it does not come back").isTrue();
        }
    }

    @Test
    void aFailureDoesNotEndIt() {
        AtomicInteger rounds = new AtomicInteger();
        Runnable failing = () -> {
            rounds.incrementAndGet();
            throw new IllegalStateException("a bug");
        };
        try (EventStore store = H2EventStore.open(folder, 4);
                Housekeeping housekeeping = new Housekeeping(store, () -> NOW, Duration.ofMillis(10), failing)) {
            housekeeping.start();
            Awaitility.await().until(() -> rounds.get() > 2);
        }
    }

    /** As on a slow disk: each look at the clock finds it eleven seconds later. */
    @Test
    void longWorkTellsHowFarItIsAndThatItIsDone() {
        AtomicLong seconds = new AtomicLong(NOW.getEpochSecond());
        try (LogCapture log = LogCapture.of(Housekeeping.class);
                EventStore store = H2EventStore.open(folder, 4);
                Housekeeping housekeeping = new Housekeeping(
                        store, () -> Instant.ofEpochSecond(seconds.addAndGet(11)), Duration.ofMillis(10), () -> {})) {
            try (WriteBatch batch = store.begin()) {
                for (int i = 0; i < 600; i++) {
                    batch.save(
                            encoded(TestKeys.ALICE.sign(1, i, List.of(Tag.of("expiration", "1999")), "")),
                            1,
                            Provenance.DIRECT,
                            1_000);
                }
                batch.commit();
            }
            housekeeping.start();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(log.lines())
                            .contains(
                                    "INFO 500 events removed because they had expired so far",
                                    "INFO 600 events removed because they had expired so far",
                                    "INFO 600 events removed because they had expired, in 33 s"));
        }
    }

    /** Most rounds find nothing to do. */
    @Test
    void shortWorkIsNoLineOfInformation() {
        AtomicInteger rounds = new AtomicInteger();
        try (LogCapture log = LogCapture.of(Housekeeping.class);
                EventStore store = H2EventStore.open(folder, 4);
                Housekeeping housekeeping =
                        new Housekeeping(store, () -> NOW, Duration.ofMillis(10), rounds::incrementAndGet)) {
            housekeeping.start();
            Awaitility.await().until(() -> rounds.get() > 2);
            assertThat(log.lines()).noneMatch(line -> line.startsWith("INFO"));
        }
    }

    private static EncodedEvent encoded(Event event) {
        return new EncodedEvent(event, "{}".getBytes(UTF_8));
    }
}
