package dev.graspsync.relay;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.wire.RelayMessageWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One REQ: first what is stored, then, after EOSE, what is committed later. Where the stored part ended in the order of
 * commits is where the live part begins, so that nothing is lost or sent twice between them. The stored part is read on
 * workers, one after the other; the live part lives on the connection's event loop.
 */
final class Subscription {

    private final String id;
    private final List<Filter> filters;
    private final long cost;
    private final byte[] eventStart;
    private @Nullable EventCursor stored;
    private long begunAt;
    private boolean begun;
    private boolean live;
    private long seenSeq;

    /** @param cost what its filters are charged with */
    Subscription(String id, List<Filter> filters, long cost) {
        this.id = id;
        this.filters = filters;
        this.cost = cost;
        this.eventStart = RelayMessageWriter.eventStart(id);
    }

    /** Messages of the stored part; the last ones end with EOSE, and the live part begins after {@code lastSeq}. */
    record Piece(Subscription of, List<byte[]> messages, int bytes, boolean last, long lastSeq) {}

    /** Reads the next piece of what is stored, about {@code mostBytes} long. On a worker. */
    Piece readStored(EventStore store, int maxLimit, long nowSeconds, int mostBytes) {
        EventCursor cursor = stored;
        if (cursor == null) {
            cursor = store.query(filters, maxLimit, nowSeconds);
            stored = cursor;
        }
        List<byte[]> messages = new ArrayList<>();
        int bytes = 0;
        while (bytes < mostBytes) {
            StoredEvent event = cursor.next();
            if (event == null) {
                Hint hint = cursor.hasMore() ? Hint.MORE : Hint.FINISH;
                messages.add(RelayMessageWriter.write(new RelayMessage.Eose(id, hint)));
                long lastSeq = cursor.lastSeq();
                closeStored();
                return new Piece(this, messages, bytes, true, lastSeq);
            }
            byte[] message = RelayMessageWriter.event(eventStart, event.json());
            messages.add(message);
            bytes += message.length;
        }
        return new Piece(this, messages, bytes, false, 0);
    }

    /** Lets go of the stored part. While no worker reads it. */
    void closeStored() {
        if (stored != null) {
            stored.close();
            stored = null;
        }
    }

    String id() {
        return id;
    }

    /** Its stored part is going to be read. */
    void begin() {
        begun = true;
        begunAt = System.nanoTime();
    }

    boolean isBegun() {
        return begun;
    }

    /** Whether its stored part began that long ago and has not ended. */
    boolean isReadLongerThan(Duration longest) {
        return begun && !live && System.nanoTime() - begunAt > longest.toNanos();
    }

    long cost() {
        return cost;
    }

    boolean isLive() {
        return live;
    }

    void becomeLive(long lastSeq) {
        live = true;
        seenSeq = lastSeq;
    }

    /** Everything up to here in the order of commits has been looked at. */
    long seenSeq() {
        return seenSeq;
    }

    void seen(long seq) {
        seenSeq = Math.max(seenSeq, seq);
    }

    boolean matches(EventFields event) {
        for (Filter filter : filters) {
            if (filter.matches(event)) {
                return true;
            }
        }
        return false;
    }

    byte[] message(byte[] eventJson) {
        return RelayMessageWriter.event(eventStart, eventJson);
    }
}
