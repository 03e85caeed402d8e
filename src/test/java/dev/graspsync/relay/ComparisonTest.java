package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.negentropy.NegentropyClient;
import dev.graspsync.negentropy.SealedSet;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.nostr.RelayMessage;
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

/** The limits of a comparison. */
class ComparisonTest {

    private static final Instant NOW = Instant.ofEpochSecond(2_000);

    @TempDir
    Path folder;

    private H2EventStore store;
    private final NegentropyMessage opening =
            new NegentropyMessage(new NegentropyClient(SealedSet.builder(1).seal(), 0, 10).initiate());

    @BeforeEach
    void aStoreOfTen() {
        store = H2EventStore.open(folder, 4);
        try (WriteBatch batch = store.begin()) {
            for (int i = 0; i < 10; i++) {
                Event event = TestKeys.ALICE.sign(1, 1_000 + i, List.of(), "");
                batch.save(EventJson.encode(event), 1, Provenance.DIRECT, 1_000);
            }
            batch.commit();
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void moreEventsThanTheCapAreRefusedWithTheCap() {
        SharedRoom room = new SharedRoom(1_000_000);
        Comparison comparison = new Comparison("neg", Filter.ALL, 9, room.share());

        RelayMessage answer = comparison.answer(store, opening, NOW);

        assertThat(answer).isInstanceOfSatisfying(RelayMessage.NegErr.class, refusal -> {
            assertThat(refusal.reason()).isEqualTo("blocked: too many query results");
            assertThat(refusal.cap()).hasValue(9);
        });
        comparison.end();
        assertThat(room.taken()).isZero();
    }

    @Test
    void exactlyTheCapIsCompared() {
        Comparison comparison = new Comparison("neg", Filter.ALL, 10, new SharedRoom(1_000_000).share());

        assertThat(comparison.answer(store, opening, NOW)).isInstanceOf(RelayMessage.NegMsg.class);
    }

    @Test
    void withoutRoomItIsRefusedForNow() {
        SharedRoom room = new SharedRoom(5_000);
        Comparison comparison = new Comparison("neg", Filter.ALL, 100, room.share());

        assertThat(comparison.answer(store, opening, NOW))
                .isInstanceOfSatisfying(
                        RelayMessage.NegErr.class,
                        refusal -> assertThat(refusal.reason()).startsWith("rate-limited: "));
        assertThat(room.taken()).isZero();
    }
}
