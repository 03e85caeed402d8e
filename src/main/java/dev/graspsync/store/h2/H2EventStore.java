package dev.graspsync.store.h2;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.GoneEvent;
import dev.graspsync.store.LogPart;
import dev.graspsync.store.StoreFailure;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.EventRecord.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * {@link EventStore} on one MVStore file in the data folder. When a write fails, for a full disk say, the file is opened
 * anew at once: what was committed goes on being read, and the next batch tries again.
 */
public final class H2EventStore implements EventStore {

    private static final Logger LOG = Logger.getLogger(H2EventStore.class);
    private static final int COMPACT_FILL_RATE = 70;
    private static final int COMPACT_BYTES = 4 << 20;

    private final Supplier<StoreFile> opening;
    private final long mostKeptEntries;
    /** Held by the open batch, a piece of a merge, or by housekeeping: MVStore commits all maps at once. */
    private final Semaphore writer = new Semaphore(1, true);

    private volatile OpenStore open;

    private H2EventStore(Path folder, StoreOptions options) {
        this.opening = () -> StoreFile.open(folder, options);
        this.mostKeptEntries = options.mostKeptEntries();
        this.open = open();
    }

    /** Opens or creates the store; a {@link StoreFailure} says in one line why that cannot be. */
    public static H2EventStore open(Path folder, int cacheMegabytes) {
        return open(folder, StoreOptions.usual(cacheMegabytes));
    }

    public static H2EventStore open(Path folder, StoreOptions options) {
        return new H2EventStore(folder, options);
    }

    private OpenStore open() {
        StoreFile file = opening.get();
        try {
            return new OpenStore(file, mostKeptEntries, writer);
        } catch (RuntimeException failure) {
            file.closeImmediately();
            throw failure instanceof StoreFailure known ? known : file.unreadable(failure);
        }
    }

    /** With the right to write. */
    private OpenStore openAnewIfBroken() {
        OpenStore now = open;
        if (now.isBroken()) {
            now.abandon();
            now = open();
            open = now;
        }
        return now;
    }

    @Override
    public WriteBatch begin() {
        writer.acquireUninterruptibly();
        try {
            return new H2WriteBatch(this, openAnewIfBroken());
        } catch (RuntimeException failure) {
            writer.release();
            throw failure;
        }
    }

    /** The batch gives the right to write back. */
    void endBatch() {
        try {
            openAnewIfBroken();
        } catch (StoreFailure failure) {
            LOG.errorf("The store could not be opened again after a failed write: %s", failure.getMessage());
        } finally {
            writer.release();
        }
    }

    // Reading -----------------------------------------------------------------------------------------------------

    /** Reads; once more if a failing write closed the file under it. */
    private <T> T reading(Function<OpenStore, T> read) {
        OpenStore store = open;
        try {
            return read.apply(store);
        } catch (RuntimeException failure) {
            if (!store.isBroken()) {
                throw failure;
            }
        }
        writer.acquireUninterruptibly();
        try {
            store = openAnewIfBroken();
        } finally {
            writer.release();
        }
        return read.apply(store);
    }

    private <T> T lookingUp(Function<Lookup, T> read) {
        return reading(store -> {
            IndexView view = store.hold();
            try {
                return read.apply(store.lookup(view));
            } finally {
                view.release();
            }
        });
    }

    @Override
    public boolean isKnown(EventId id) {
        return lookingUp(lookup -> lookup.byId(id) != null);
    }

    @Override
    public Optional<StoredEvent> find(EventId id) {
        return lookingUp(lookup -> {
            EventRecord found = lookup.byId(id);
            return found != null && found.isLive() ? Optional.of(found) : Optional.empty();
        });
    }

    @Override
    public Optional<GoneEvent> whyGone(EventId id) {
        return lookingUp(lookup -> Optional.ofNullable(lookup.byId(id))
                .filter(event -> !event.isLive())
                .map(EventRecord::gone));
    }

    @Override
    public Optional<GoneEvent> whyGone(Address address) {
        return newestGone(address, event -> !event.isLive());
    }

    @Override
    public Optional<GoneEvent> delisting(Address repo) {
        return newestGone(repo, event -> event.state() == State.DELISTED);
    }

    private Optional<GoneEvent> newestGone(Address address, Predicate<EventRecord> wanted) {
        return reading(store -> {
            IndexView view = store.hold();
            try {
                Lookup lookup = store.lookup(view);
                return lookup.seqs(store.terms().address(address)).stream()
                        .flatMap(seq -> Optional.ofNullable(lookup.record(seq)).stream())
                        .filter(event -> event.kind() == address.kind()
                                && event.pubkey().equals(address.pubkey())
                                && wanted.test(event))
                        .map(EventRecord::gone)
                        .max(Comparator.comparingLong(GoneEvent::createdAt));
            } finally {
                view.release();
            }
        });
    }

    @Override
    public long size() {
        return reading(store -> store.events().sizeAsLong());
    }

    @Override
    public EventCursor query(List<Filter> filters, int maxLimit, long nowSeconds) {
        return reading(store -> {
            IndexView view = store.hold();
            try {
                Lookup lookup = store.lookup(view);
                return new QueryCursor(
                        view,
                        lookup,
                        filters,
                        filter -> new FilterCursor(
                                filter,
                                Math.min(filter.limit().orElse(maxLimit), maxLimit),
                                store.index(),
                                view,
                                store.terms(),
                                lookup,
                                nowSeconds));
            } catch (RuntimeException failure) {
                view.release();
                throw failure;
            }
        });
    }

    @Override
    public LogPart tail(long fromSeq, int most, long mostBytes) {
        return reading(store -> {
            List<StoredEvent> found = new ArrayList<>();
            long bytes = 0;
            // Before the reading: what is committed in between may then be missing, but nothing is told of it.
            long last = store.lastSeq();
            Iterator<Long> seqs = store.events().keyIterator(fromSeq);
            while (seqs.hasNext()) {
                long seq = seqs.next();
                if (seq > last) {
                    break;
                }
                EventRecord event = store.record(seq);
                if (event != null && event.isLive()) {
                    found.add(event);
                    bytes += event.size();
                    if (found.size() == most || bytes >= mostBytes) {
                        return new LogPart(found, seq, seq < last);
                    }
                }
            }
            return new LogPart(found, last, false);
        });
    }

    @Override
    public long lastSeq() {
        return open.lastSeq();
    }

    /** How many entries each run of the index has, oldest first. */
    List<Long> runSizes() {
        return reading(store -> {
            IndexView view = store.hold();
            try {
                return view.runs().stream().map(Run::entries).toList();
            } finally {
                view.release();
            }
        });
    }

    // Housekeeping ------------------------------------------------------------------------------------------------

    @Override
    public int removeExpired(long nowSeconds, int most) {
        if (lookingUp(lookup -> lookup.expiring(nowSeconds, 1)).isEmpty()) {
            return 0;
        }
        try (WriteBatch batch = begin()) {
            List<EventRecord> expired = lookingUp(lookup -> lookup.expiring(nowSeconds, most));
            expired.forEach(event -> ((H2WriteBatch) batch).markGone(event, State.EXPIRED, event.id()));
            batch.commit();
            return expired.size();
        }
    }

    @Override
    public boolean maintain() {
        writer.acquireUninterruptibly();
        try {
            return openAnewIfBroken().compact(COMPACT_FILL_RATE, COMPACT_BYTES);
        } finally {
            endBatch();
        }
    }

    @Override
    public void close() {
        open.stopMerging();
        writer.acquireUninterruptibly();
        open.close();
    }
}
