package dev.graspsync.store.h2;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoreFailure;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.EventRecord.State;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** {@link EventStore} on one MVStore file in the data folder. */
public final class H2EventStore implements EventStore {

    private static final int COMPACT_FILL_RATE = 70;
    private static final int COMPACT_BYTES = 8 << 20;

    private final StoreFile file;
    private final MVStore store;
    private final MVMap<Long, byte[]> events;
    private final GoneSeqs gone;
    private final SortedIndex index;
    private final Terms terms;
    /** Held by the open batch, or by housekeeping: MVStore commits all maps at once. */
    private final Semaphore writer = new Semaphore(1);

    private H2EventStore(StoreFile file) {
        this.file = file;
        this.store = file.store();
        this.events = store.openMap("events", Maps.longToBytes());
        this.gone = new GoneSeqs(store);
        this.terms = new Terms(seed());
        this.index = new SortedIndex(store);
        file.checkReached(nextSeq() - 1);
    }

    /** Opens or creates the store; a {@link StoreFailure} says in one line why that cannot be. */
    public static H2EventStore open(Path folder, int cacheMegabytes) {
        StoreFile file = StoreFile.open(folder, cacheMegabytes);
        try {
            return new H2EventStore(file);
        } catch (RuntimeException failure) {
            file.closeImmediately();
            throw failure instanceof StoreFailure known ? known : file.unreadable(failure);
        }
    }

    private long seed() {
        MVMap<Long, byte[]> meta = store.openMap("meta", Maps.longToBytes());
        byte[] seed = meta.get(0L);
        if (seed == null) {
            seed = new SecureRandom().generateSeed(Long.BYTES);
            meta.put(0L, seed);
            store.commit();
        }
        return ByteBuffer.wrap(seed).getLong();
    }

    private long nextSeq() {
        IndexView view = index.hold();
        try {
            Long last = events.lastKey();
            return Math.max(view.lastSeq(), last == null ? 0 : last) + 1;
        } finally {
            view.release();
        }
    }

    @Override
    public WriteBatch begin() {
        writer.acquireUninterruptibly();
        IndexView view = index.hold();
        return new H2WriteBatch(this, view, new Lookup(index, view, events), terms, nextSeq());
    }

    // What the open batch does to the file ------------------------------------------------------------------------

    @org.jspecify.annotations.Nullable
    EventRecord record(long seq) {
        byte[] packed = events.get(seq);
        return packed == null ? null : EventRecord.of(seq, packed);
    }

    void putRecord(long seq, byte[] packed) {
        events.put(seq, packed);
    }

    void replaceRecord(long seq, byte[] packed) {
        events.put(seq, packed);
        gone.add(seq);
    }

    void removeRecord(long seq) {
        events.remove(seq);
        gone.add(seq);
    }

    void commit(List<Entry> entries, long minSeq, long maxSeq) {
        try {
            List<Run> runs = index.append(entries, minSeq, maxSeq, gone);
            store.commit();
            store.sync();
            file.reached(maxSeq);
            index.publish(runs, maxSeq);
        } catch (RuntimeException failure) {
            throw file.unwritable(failure);
        }
    }

    void rollback() {
        if (!store.isClosed()) {
            store.rollback();
            gone.reload();
        }
    }

    void endBatch() {
        writer.release();
    }

    // Reading -----------------------------------------------------------------------------------------------------

    private <T> T reading(Function<Lookup, T> read) {
        IndexView view = index.hold();
        try {
            return read.apply(new Lookup(index, view, events));
        } finally {
            view.release();
        }
    }

    @Override
    public boolean isKnown(EventId id) {
        return reading(lookup -> lookup.byId(id) != null);
    }

    @Override
    public Optional<StoredEvent> find(EventId id) {
        return reading(lookup -> {
            EventRecord found = lookup.byId(id);
            return found != null && found.isLive() ? Optional.of(found) : Optional.empty();
        });
    }

    @Override
    public EventCursor query(List<Filter> filters, int maxLimit, long nowSeconds) {
        IndexView view = index.hold();
        try {
            Lookup lookup = new Lookup(index, view, events);
            return new QueryCursor(
                    view,
                    filters,
                    filter -> new FilterCursor(
                            filter,
                            Math.min(filter.limit().orElse(maxLimit), maxLimit),
                            index,
                            view,
                            terms,
                            lookup,
                            nowSeconds));
        } catch (RuntimeException failure) {
            view.release();
            throw failure;
        }
    }

    @Override
    public List<StoredEvent> tail(long fromSeq, int most) {
        List<StoredEvent> found = new ArrayList<>();
        long last = lastSeq();
        Iterator<Long> seqs = events.keyIterator(fromSeq);
        while (seqs.hasNext() && found.size() < most) {
            long seq = seqs.next();
            if (seq > last) {
                break;
            }
            EventRecord event = record(seq);
            if (event != null && event.isLive()) {
                found.add(event);
            }
        }
        return found;
    }

    @Override
    public long lastSeq() {
        IndexView view = index.hold();
        try {
            return view.lastSeq();
        } finally {
            view.release();
        }
    }

    // Housekeeping ------------------------------------------------------------------------------------------------

    @Override
    public int removeExpired(long nowSeconds, int most) {
        try (WriteBatch batch = begin()) {
            List<EventRecord> expired = reading(lookup -> lookup.expiring(nowSeconds, most));
            expired.forEach(event -> ((H2WriteBatch) batch).markGone(event, State.EXPIRED, event.id()));
            if (!expired.isEmpty()) {
                batch.commit();
            }
            return expired.size();
        }
    }

    @Override
    public boolean maintain() {
        writer.acquireUninterruptibly();
        try {
            return store.compact(COMPACT_FILL_RATE, COMPACT_BYTES);
        } finally {
            writer.release();
        }
    }

    @Override
    public void close() {
        writer.acquireUninterruptibly();
        file.close();
    }
}
