package dev.graspsync.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.wire.EventJson;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class H2EventStoreTest {

    private static final long NOW = 1_100;
    private static final int MOST = 1_000;
    /** Megabytes of cache: with so few, the index leaves memory for the file every few rounds. */
    private static final int SMALL = 1;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void answersRandomFiltersAsTheNaiveStoreDoes(long seed) throws IOException {
        RandomEvents world = new RandomEvents(seed);
        Random random = new Random(seed);
        NaiveStore naive = new NaiveStore();
        H2EventStore store = H2EventStore.open(folder, SMALL);
        Path here = folder;
        for (int round = 0; round < 60; round++) {
            try (WriteBatch batch = store.begin()) {
                for (int i = random.nextInt(80); i >= 0; i--) {
                    Event event = random.nextInt(700) == 0 ? world.vanish(world.author()) : world.next();
                    SaveResult result = batch.save(RandomEvents.encode(event), 1, Provenance.DIRECT, NOW);
                    assertThat(result instanceof SaveResult.Saved)
                            .as("seed %d: %s of %s", seed, result, event)
                            .isEqualTo(naive.save(event, NOW));
                }
                batch.commit();
            }
            if (random.nextInt(5) == 0) {
                if (random.nextBoolean()) {
                    here = asACrashLeavesIt(here);
                }
                store.close();
                store = H2EventStore.open(here, SMALL);
            }
            for (int i = 0; i < 25; i++) {
                List<Filter> filters = random.nextInt(4) == 0
                        ? List.of(world.filter(), world.filter(), world.filter())
                        : List.of(world.filter());
                long now = random.nextInt(4) == 0 ? NOW + 100 : NOW;
                assertThat(ids(store, filters, MOST, now))
                        .as("seed %d: %s", seed, filters)
                        .isEqualTo(naive.query(filters, MOST, now));
            }
        }
        store.close();
    }

    /** The files of an open store as they are now, in a folder beside. */
    private static Path asACrashLeavesIt(Path open) throws IOException {
        Path copy = Files.createDirectory(open.resolve("crashed"));
        for (String name : List.of("events.mv", "events.reached")) {
            Files.copy(open.resolve(name), copy.resolve(name));
        }
        return copy;
    }

    @Test
    void aDelistedRepositoryStaysSoAfterACrash() throws IOException {
        Path crashed;
        Event listed = TestKeys.ALICE.sign(30617, 10, List.of(Tag.of("d", "repo")), "");
        Event delisting = TestKeys.ALICE.sign(30617, 20, List.of(Tag.of("d", "repo")), "");
        try (EventStore store = H2EventStore.open(folder, SMALL)) {
            try (WriteBatch batch = store.begin()) {
                assertThat(batch.delist(RandomEvents.encode(delisting), Provenance.DIRECT, NOW))
                        .isTrue();
                batch.commit();
            }
            crashed = asACrashLeavesIt(folder);
        }
        try (EventStore store = H2EventStore.open(crashed, SMALL);
                WriteBatch batch = store.begin()) {
            assertThat(batch.save(RandomEvents.encode(listed), 1, Provenance.DIRECT, NOW))
                    .isEqualTo(new SaveResult.Superseded(delisting.id()));
        }
    }

    @Test
    void whatIsNotCommittedIsNotThere() {
        RandomEvents world = new RandomEvents(1);
        Event kept = world.vanish(world.author());
        Event dropped = world.vanish(world.author());
        try (EventStore store = H2EventStore.open(folder, 4)) {
            commit(store, kept);
            try (WriteBatch batch = store.begin()) {
                batch.save(RandomEvents.encode(dropped), 1, Provenance.DIRECT, NOW);
                assertThat(batch.isKnown(dropped.id())).isTrue();
            }
            assertThat(store.isKnown(dropped.id())).isFalse();
            assertThat(store.isKnown(kept.id())).isTrue();
            commit(store, dropped);
            assertThat(ids(store, List.of(Filter.ALL), MOST, NOW)).containsExactlyInAnyOrder(kept.id(), dropped.id());
        }
    }

    @Test
    void tellsWhetherALimitCutTheResultsShort() {
        RandomEvents world = new RandomEvents(2);
        try (EventStore store = H2EventStore.open(folder, 4)) {
            for (int i = 0; i < 3; i++) {
                commit(store, world.vanish(world.author()));
            }
            assertThat(hasMore(store, Filter.ALL.withLimit(3))).isFalse();
            assertThat(hasMore(store, Filter.ALL.withLimit(2))).isTrue();
            assertThat(hasMore(store, Filter.ALL.withLimit(0))).isTrue();
        }
    }

    @Test
    void tailGivesEventsInTheOrderOfTheirCommits() {
        RandomEvents world = new RandomEvents(3);
        try (EventStore store = H2EventStore.open(folder, 4)) {
            List<EventId> order = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Event event = world.vanish(world.author());
                commit(store, event);
                if (store.find(event.id()).isPresent()) {
                    order.add(event.id());
                }
            }
            List<EventId> tail = store.tail(1, 100, 1 << 20).events().stream()
                    .map(StoredEvent::id)
                    .toList();
            assertThat(tail).isSubsetOf(order).isNotEmpty();
            assertThat(store.tail(store.lastSeq(), 100, 1 << 20).events()).hasSize(1);
            assertThat(store.tail(store.lastSeq() + 1, 100, 1 << 20).events()).isEmpty();
        }
    }

    @Test
    void tailComesInPartsOfABoundedSizeWithoutAHole() {
        RandomEvents world = new RandomEvents(6);
        try (EventStore store = H2EventStore.open(folder, 4)) {
            for (int i = 0; i < 200; i++) {
                commit(store, world.next());
            }
            List<EventId> whole = store.tail(1, MOST, Long.MAX_VALUE).events().stream()
                    .map(StoredEvent::id)
                    .toList();
            List<EventId> pieced = new ArrayList<>();
            LogPart part = store.tail(1, 7, 1_500);
            while (part.more()) {
                assertThat(part.events()).hasSizeBetween(1, 7);
                part.events().forEach(event -> pieced.add(event.id()));
                part = store.tail(part.upTo() + 1, 7, 1_500);
            }
            part.events().forEach(event -> pieced.add(event.id()));
            assertThat(pieced).isEqualTo(whole);
            assertThat(part.upTo()).isEqualTo(store.lastSeq());
            assertThat(store.tail(1, 7, 1).events()).as("one always").hasSize(1);
        }
    }

    @Test
    void largeEventsComeInTheirOrderByTimeAndByIds() {
        List<Event> events = new ArrayList<>();
        try (EventStore store = H2EventStore.open(folder, 4)) {
            for (int i = 0; i < 6; i++) {
                Event event = TestKeys.ALICE.sign(1, 1_000 + i, List.of(), (i % 2 == 0 ? "x" : "").repeat(10_000));
                events.addFirst(event);
                try (WriteBatch batch = store.begin()) {
                    batch.save(EventJson.encode(event), 1, Provenance.DIRECT, NOW);
                    batch.commit();
                }
            }
            List<EventId> expected = events.stream().map(Event::id).toList();
            Filter byIds = Filter.ALL.withIds(Set.copyOf(expected));
            assertThat(ids(store, List.of(Filter.ALL), MOST, NOW)).isEqualTo(expected);
            assertThat(ids(store, List.of(byIds), MOST, NOW)).isEqualTo(expected);
            assertThat(ids(store, List.of(byIds, Filter.ALL), MOST, NOW)).isEqualTo(expected);
            assertThat(ids(store, List.of(byIds.withLimit(2)), MOST, NOW)).isEqualTo(expected.subList(0, 2));
        }
    }

    /** NIP-09 and NIP-62: were they to expire, what they took away would come back. */
    @Test
    void deletionsAndRequestsToVanishDoNotExpire() {
        Tag soon = Tag.of("expiration", "1101");
        Event gone = TestKeys.ALICE.sign(1, 1_000, List.of(), "gone");
        Event deletion =
                TestKeys.ALICE.sign(5, 1_001, List.of(Tag.of("e", gone.id().hex()), soon), "");
        Event vanished = TestKeys.BOB.sign(1, 1_000, List.of(), "vanished");
        Event vanish = TestKeys.BOB.sign(62, 1_001, List.of(Tag.of("relay", "ALL_RELAYS"), soon), "");
        try (EventStore store = H2EventStore.open(folder, 4)) {
            List.of(gone, deletion, vanished, vanish).forEach(event -> commit(store, event));

            assertThat(store.removeExpired(2_000, 10)).isZero();
            assertThat(ids(store, List.of(Filter.ALL), MOST, 2_000))
                    .containsExactlyInAnyOrder(deletion.id(), vanish.id());
            try (WriteBatch batch = store.begin()) {
                assertThat(batch.save(RandomEvents.encode(gone), 1, Provenance.DIRECT, 2_000))
                        .isInstanceOf(SaveResult.Deleted.class);
                assertThat(batch.save(RandomEvents.encode(vanished), 1, Provenance.DIRECT, 2_000))
                        .isInstanceOf(SaveResult.Vanished.class);
            }
        }
    }

    @Test
    void removesWhatHasExpiredOnce() {
        RandomEvents world = new RandomEvents(4);
        try (EventStore store = H2EventStore.open(folder, 4)) {
            for (int i = 0; i < 500; i++) {
                commit(store, world.next());
            }
            int before = ids(store, List.of(Filter.ALL), MOST, 0).size();
            int removed = store.removeExpired(NOW + 100, 1_000);
            assertThat(removed).isPositive();
            assertThat(store.removeExpired(NOW + 100, 1_000)).isZero();
            assertThat(ids(store, List.of(Filter.ALL), MOST, 0)).hasSize(before - removed);
        }
    }

    @Test
    void aStoreInUseIsRefusedWithAReason() {
        try (EventStore store = H2EventStore.open(folder, 4)) {
            assertThat(store.lastSeq()).isZero();
            assertThatThrownBy(() -> H2EventStore.open(folder, 4))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("in use by another process");
        }
    }

    @Test
    void aTruncatedStoreIsRefusedWithAReason() throws IOException {
        RandomEvents world = new RandomEvents(5);
        try (EventStore store = H2EventStore.open(folder, 4)) {
            for (int i = 0; i < 400; i++) {
                commit(store, world.next());
            }
        }
        Path file = folder.resolve("events.mv");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(Files.size(file) * 2 / 3);
        }
        assertThatThrownBy(() -> H2EventStore.open(folder, 4))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining(file.toAbsolutePath().toString());
    }

    @Test
    void aFileThatIsNoStoreIsRefusedWithAReason() throws IOException {
        Files.writeString(folder.resolve("events.mv"), "not a store at all, ".repeat(1_000));
        assertThatThrownBy(() -> H2EventStore.open(folder, 4))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("cannot be read");
    }

    private static void commit(EventStore store, Event event) {
        try (WriteBatch batch = store.begin()) {
            batch.save(RandomEvents.encode(event), 1, Provenance.DIRECT, NOW);
            batch.commit();
        }
    }

    private static boolean hasMore(EventStore store, Filter filter) {
        try (EventCursor cursor = store.query(List.of(filter), MOST, NOW)) {
            while (cursor.next() != null) {
                // to the end
            }
            return cursor.hasMore();
        }
    }

    private static List<EventId> ids(EventStore store, List<Filter> filters, int most, long now) {
        List<EventId> ids = new ArrayList<>();
        try (EventCursor cursor = store.query(filters, most, now)) {
            for (StoredEvent event = cursor.next(); event != null; event = cursor.next()) {
                ids.add(event.id());
            }
        }
        return ids;
    }

    @Test
    void aStoreWhoseFirstBatchIsGivenUpTakesTheNext() {
        Event event = TestKeys.ALICE.sign(1, 1_000, List.of(), "");
        try (H2EventStore store = H2EventStore.open(folder, 4)) {
            store.begin().close();
            try (WriteBatch batch = store.begin()) {
                batch.save(RandomEvents.encode(event), 1, Provenance.DIRECT, NOW);
                batch.commit();
            }
            assertThat(store.find(event.id())).isPresent();
        }
    }

    @Test
    void rule28FromWhomAndHowAnEventCameIsKept() {
        RelayUrl relay = RelayUrl.parse("wss://relay.example/path").orElseThrow();
        Provenance caughtUp = Provenance.from(relay, Provenance.Way.CATCH_UP);
        Event synced = TestKeys.ALICE.sign(1, 1_000, List.of(Tag.of("e", "x")), "synced");
        Event direct = TestKeys.ALICE.sign(1, 1_000, List.of(), "direct");
        try (H2EventStore store = H2EventStore.open(folder, 4)) {
            try (WriteBatch batch = store.begin()) {
                batch.save(RandomEvents.encode(synced), 1, caughtUp, 1_234);
                batch.save(RandomEvents.encode(direct), 1, Provenance.DIRECT, 5_678);
                batch.commit();
            }
        }
        try (H2EventStore store = H2EventStore.open(folder, 4)) {
            StoredEvent found = store.find(synced.id()).orElseThrow();
            assertThat(found.provenance()).isEqualTo(caughtUp);
            assertThat(found.firstSeen()).isEqualTo(1_234);
            assertThat(found.json()).isEqualTo(RandomEvents.encode(synced).json());
            assertThat(store.find(direct.id()).orElseThrow().provenance()).isEqualTo(Provenance.DIRECT);
        }
    }
}
