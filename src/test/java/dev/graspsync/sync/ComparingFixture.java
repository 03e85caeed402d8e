package dev.graspsync.sync;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.relay.UnwantedEvents;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.wire.EventJson;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real store, our sides of comparisons, a clock that is set by hand, and raw relays. */
abstract class ComparingFixture extends ConnectionFixture {

    /** Places are taken so many at a time. */
    static final int PIECE = 10_000;

    @TempDir
    Path folder;

    final UnwantedEvents unwanted = new UnwantedEvents();
    volatile Instant now = Instant.now();
    EventStore store;

    @BeforeEach
    void openStore() {
        store = H2EventStore.open(folder, 4);
        open.add(store);
    }

    NegentropySets sets(ComparingRoom room) {
        NegentropySets sets = new NegentropySets(store, unwanted, new PeerLacks(store, () -> now), () -> now, room);
        open.addFirst(sets);
        return sets;
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    static Event[] events(int many) {
        return IntStream.range(0, many)
                .mapToObj(i -> TestKeys.ALICE.sign(1621, 1_000 + i, List.of(), "number " + i))
                .toArray(Event[]::new);
    }

    List<EventId> save(Event... events) {
        List<EventId> ids = new ArrayList<>();
        try (WriteBatch batch = store.begin()) {
            for (Event event : events) {
                batch.save(EventJson.encodeIfIdMatches(event).orElseThrow(), 0, Provenance.DIRECT, 1_000);
                ids.add(event.id());
            }
            batch.commit();
        }
        return ids;
    }

    static List<EventId> ids(Event... events) {
        return Arrays.stream(events).map(Event::id).toList();
    }
}
