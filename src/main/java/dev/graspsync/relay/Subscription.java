package dev.graspsync.relay;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.wire.RelayMessageWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One REQ: first what is stored, then, after EOSE, what is committed later. Where the stored part ended in the order of
 * commits is where the live part begins, so that nothing is lost or sent twice between them.
 */
final class Subscription {

    private final String id;
    private final List<Filter> filters;
    private @Nullable EventCursor stored;
    private boolean live;
    private long seenSeq;

    Subscription(String id, List<Filter> filters) {
        this.id = id;
        this.filters = filters;
    }

    boolean isLive() {
        return live;
    }

    /** Everything up to here in the order of commits has been looked at. */
    long seenSeq() {
        return seenSeq;
    }

    /** Reads a piece of what is stored into {@code out}. */
    void readStored(EventStore store, int maxLimit, long nowSeconds, int most, List<byte[]> out) {
        EventCursor cursor = stored;
        if (cursor == null) {
            cursor = store.query(filters, maxLimit, nowSeconds);
            stored = cursor;
        }
        for (int i = 0; i < most; i++) {
            StoredEvent event = cursor.next();
            if (event == null) {
                Hint hint = cursor.hasMore() ? Hint.MORE : Hint.FINISH;
                out.add(RelayMessageWriter.write(new RelayMessage.Eose(id, hint)));
                seenSeq = cursor.lastSeq();
                live = true;
                close();
                return;
            }
            out.add(RelayMessageWriter.event(id, event.json()));
        }
    }

    /** Looks at a committed event. */
    void readLive(StoredEvent event, List<byte[]> out) {
        if (event.seq() > seenSeq) {
            seenSeq = event.seq();
            if (matches(event)) {
                out.add(RelayMessageWriter.event(id, event.json()));
            }
        }
    }

    private boolean matches(EventFields event) {
        for (Filter filter : filters) {
            if (filter.matches(event)) {
                return true;
            }
        }
        return false;
    }

    void close() {
        if (stored != null) {
            stored.close();
            stored = null;
        }
    }
}
