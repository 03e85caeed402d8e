package dev.graspsync.sync;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.LogPart;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.sync.Unanswered.Sent;
import dev.graspsync.wire.EventJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the log has for the own relay: everything that did not come from there. Reading may block. */
final class UnpublishedEvents {

    private static final long BYTES_AT_ONCE = 1 << 20;

    private final EventStore store;
    private final RelayUrl relay;

    UnpublishedEvents(EventStore store, RelayUrl relay) {
        this.store = store;
        this.relay = relay;
    }

    /** @param more whether there was nothing in it and there may be something behind it */
    record Batch(List<Sent> events, long upTo, boolean more) {}

    Batch read(long from, int most) {
        LogPart tail = store.tail(from, most, BYTES_AT_ONCE);
        List<Sent> events = new ArrayList<>();
        long upTo = from - 1;
        for (StoredEvent event : tail.events()) {
            upTo = event.seq();
            if (event.provenance().relay().filter(relay::equals).isEmpty()) {
                events.add(new Sent(event.seq(), parse(event), event.json().length));
            }
        }
        return new Batch(events, upTo, events.isEmpty() && tail.more());
    }

    /** Absent where it has been deleted, superseded or has expired. */
    Optional<Event> at(long seq) {
        return store.tail(seq, 1, BYTES_AT_ONCE).events().stream()
                .filter(stored -> stored.seq() == seq)
                .findFirst()
                .map(UnpublishedEvents::parse);
    }

    /** Everything from here on is still to be read. */
    long lastSeq() {
        return store.lastSeq();
    }

    private static Event parse(StoredEvent stored) {
        return EventJson.read(stored.json());
    }
}
