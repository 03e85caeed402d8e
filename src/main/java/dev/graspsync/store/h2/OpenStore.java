package dev.graspsync.store.h2;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.RandomAccessStore;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The maps of the file while it is open. A write that failed ends this: MVStore closes itself then, and the file is to be
 * opened anew. All but reading needs the right to write.
 */
final class OpenStore {

    /** How records and entries lie in the maps; to be raised when that changes. */
    private static final long THIS_FORMAT = 3;

    private static final Logger LOG = Logger.getLogger(OpenStore.class);
    private static final long SEED = 0;
    private static final long FORMAT = 1;

    private final StoreFile file;
    private final MVStore store;
    private final MVMap<Long, byte[]> events;
    private final GoneSeqs gone;
    private final SortedIndex index;
    private final Terms terms;
    private final IndexMerger merger;
    private final RecentLookups recent = new RecentLookups();
    private final RecordPacker packer = new RecordPacker();
    private volatile boolean failed;

    OpenStore(StoreFile file, long mostKeptEntries, Semaphore writer) {
        this.file = file;
        this.store = file.store();
        boolean isNew = !store.hasMap(SortedIndex.RUNS);
        // First of all: what is of another format must not be read, and even less written.
        this.terms = new Terms(seed());
        this.events = store.openMap("events", Maps.longToBytes());
        this.gone = new GoneSeqs(store);
        this.index = new SortedIndex(store, mostKeptEntries);
        restoreIndex();
        file.checkReached(nextSeq() - 1);
        if (isNew) {
            // A rollback takes maps away that no commit has seen.
            store.commit();
        }
        this.merger = new IndexMerger(store, index, gone, writer);
        merger.start();
        merger.wake();
    }

    /** The seed of a store in the format of this version; a new file is marked as such. */
    private long seed() {
        MVMap<Long, byte[]> meta = store.openMap("meta", Maps.longToBytes());
        byte[] seed = meta.get(SEED);
        if (seed == null) {
            seed = new SecureRandom().generateSeed(Long.BYTES);
            meta.put(SEED, seed);
            meta.put(
                    FORMAT, ByteBuffer.allocate(Long.BYTES).putLong(THIS_FORMAT).array());
            store.commit();
        }
        byte[] format = meta.get(FORMAT);
        file.checkFormat(format == null ? 0 : ByteBuffer.wrap(format).getLong(), THIS_FORMAT);
        return ByteBuffer.wrap(seed).getLong();
    }

    /** The newest entries were in memory only when the process ended: the events say what they were. */
    private void restoreIndex() {
        PackedEntries entries = new PackedEntries();
        Cursor<Long, byte[]> rest = events.cursor(index.filedUpTo() + 1);
        while (rest.hasNext()) {
            long seq = rest.next();
            terms.addEntries(EventRecord.of(seq, rest.getValue()), entries);
        }
        index.restore(entries, nextSeq() - 1);
    }

    /** Whether it is of no use any more. */
    boolean isBroken() {
        return failed || store.isClosed();
    }

    Terms terms() {
        return terms;
    }

    SortedIndex index() {
        return index;
    }

    MVMap<Long, byte[]> events() {
        return events;
    }

    IndexView hold() {
        return index.hold();
    }

    Lookup lookup(IndexView view) {
        return new Lookup(index, view, events);
    }

    RecordPacker packer() {
        return packer;
    }

    RecentLookups recent() {
        return recent;
    }

    long lastSeq() {
        IndexView view = hold();
        try {
            return view.lastSeq();
        } finally {
            view.release();
        }
    }

    long nextSeq() {
        Long last = events.lastKey();
        return Math.max(lastSeq(), last == null ? 0 : last) + 1;
    }

    @Nullable
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
        recent.changed(seq);
    }

    void removeRecord(long seq) {
        events.remove(seq);
        recent.changed(seq);
        gone.add(seq);
    }

    void commit(PackedEntries entries, long minSeq, long maxSeq) {
        try {
            List<Run> runs = index.append(entries, minSeq, maxSeq, gone);
            store.commit();
            store.sync();
            file.reached(maxSeq);
            index.publish(runs, maxSeq);
            merger.wake();
        } catch (RuntimeException failure) {
            // How much of it is in the file is for the next opening to find out.
            failed = true;
            throw file.unwritable(failure);
        } catch (Error failure) {
            // Out of memory in the middle of it, say: nothing that is in memory is to be trusted.
            failed = true;
            throw failure;
        }
    }

    void rollback() {
        if (!isBroken()) {
            store.rollback();
            gone.reload();
            recent.clear();
        }
    }

    /**
     * Rewrites what is alive in chunks of the file that are mostly dead, and moves chunks from the end of the file into
     * the room that is free; returns whether either did something.
     */
    boolean compact(int fillRate, int bytes) {
        try {
            boolean rewritten = store.compact(fillRate, bytes);
            if (rewritten) {
                // Until then the old copies are not dead.
                store.commit();
                store.sync();
            }
            if (!(store.getFileStore() instanceof RandomAccessStore chunks)) {
                return rewritten;
            }
            long before = chunks.size();
            chunks.compactMoveChunks(fillRate, bytes, store);
            return rewritten || chunks.size() < before;
        } catch (RuntimeException failure) {
            failed = true;
            throw file.unwritable(failure);
        }
    }

    /** Before {@link #close}, and without the right to write, which the merger may be waiting for. */
    void stopMerging() {
        merger.stop();
    }

    /** What is in memory only goes to the file, so that the next opening has nothing to make anew. */
    void close() {
        if (!isBroken()) {
            try {
                index.fileAll(gone);
                store.commit();
            } catch (RuntimeException full) {
                LOG.debugf(full, "The index is made anew at the next opening");
            }
        }
        file.close();
    }

    /** Gives the file back as it is, without a further write. */
    void abandon() {
        merger.stopNow();
        file.closeImmediately();
    }
}
