package dev.graspsync.store.h2;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.h2.mvstore.MVStore;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Merges large runs on a thread of its own. It has the right to write only for as long as it takes to commit a piece, so
 * that batches wait for a piece and never for a merge. What a crash leaves of a merge are blocks without a run, which the
 * next opening removes; the runs it was made of are there until it is complete.
 */
final class IndexMerger {

    private static final Logger LOG = Logger.getLogger(IndexMerger.class);
    private static final int PIECE = 512;
    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final long WORTH_A_LINE = 5_000_000;
    private static final Duration LONG = Duration.ofSeconds(10);

    /** The store is being closed. */
    private static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final MVStore store;
    private final SortedIndex index;
    private final GoneSeqs gone;
    private final Semaphore writer;
    private final Semaphore wanted = new Semaphore(0);
    private final Thread thread;
    private volatile boolean stopped;
    private boolean toldAnything;
    private long toldAt;

    IndexMerger(MVStore store, SortedIndex index, GoneSeqs gone, Semaphore writer) {
        this.store = store;
        this.index = index;
        this.gone = gone;
        this.writer = writer;
        this.thread = Thread.ofPlatform().daemon().name("store-merge").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** After a commit: there may be something to merge. */
    void wake() {
        wanted.release();
    }

    /** Waits for the thread to end; not to be called with the right to write. Interrupting it would close the file. */
    void stop() {
        stopNow();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the thread end by itself. */
    void stopNow() {
        stopped = true;
        wanted.release();
    }

    private void run() {
        while (!stopped) {
            wanted.acquireUninterruptibly();
            wanted.drainPermits();
            try {
                while (!stopped && mergeOne()) {
                    // as long as there is something to merge
                }
            } catch (Stopped end) {
                return;
            } catch (RuntimeException | Error failure) {
                // The runs are as they were, and the next commit tries again. Merges that always fail would make every
                // look-up slower with every commit.
                tellOncePerMinute(failure);
            }
        }
    }

    private void tellOncePerMinute(Throwable failure) {
        long now = System.nanoTime();
        if (!toldAnything || now - toldAt > SILENCE.toNanos()) {
            toldAnything = true;
            toldAt = now;
            LOG.errorf(failure, "A merge of the index was given up, and will be tried again: %s", failure.getMessage());
        }
    }

    private boolean mergeOne() {
        SortedIndex.Merge merge = begin();
        if (merge == null) {
            return false;
        }
        boolean ended = false;
        try {
            Pieces pieces = new Pieces(merge);
            Run merged = index.write(merge, pieces);
            pieces.write();
            writer.acquireUninterruptibly();
            try {
                check();
                List<Run> runs = index.endMerge(merge, merged, gone);
                ended = true;
                store.commit();
                index.publish(runs);
            } finally {
                writer.release();
            }
        } finally {
            if (!ended) {
                abandon(merge);
            }
        }
        if (merge.entryCount() >= WORTH_A_LINE) {
            LOG.infof(
                    "Merged %,d index entries of %d runs",
                    merge.entryCount(), merge.runs().size());
        }
        return true;
    }

    private SortedIndex.@Nullable Merge begin() {
        writer.acquireUninterruptibly();
        try {
            check();
            return index.beginMerge(gone);
        } finally {
            writer.release();
        }
    }

    private void abandon(SortedIndex.Merge merge) {
        writer.acquireUninterruptibly();
        try {
            if (!store.isClosed()) {
                index.abandon(merge);
            }
        } finally {
            writer.release();
        }
    }

    private void check() {
        if (stopped || store.isClosed()) {
            throw new Stopped();
        }
    }

    /** Blocks on their way into the file. */
    private final class Pieces implements Run.BlockSink {

        private final List<Long> keys = new ArrayList<>();
        private final List<byte[]> blocks = new ArrayList<>();
        private final SortedIndex.Merge merge;
        private long written;
        private long toldAt = System.nanoTime();

        Pieces(SortedIndex.Merge merge) {
            this.merge = merge;
        }

        @Override
        public void put(long key, byte[] block) {
            keys.add(key);
            blocks.add(block);
            if (keys.size() == PIECE) {
                write();
            }
        }

        void write() {
            writer.acquireUninterruptibly();
            try {
                check();
                for (int i = 0; i < keys.size(); i++) {
                    index.putBlock(keys.get(i), blocks.get(i));
                }
                // Committed at once: the rollback of a batch must not take it away.
                store.commit();
            } finally {
                writer.release();
            }
            written += keys.size();
            keys.clear();
            blocks.clear();
            if (System.nanoTime() - toldAt >= LONG.toNanos()) {
                toldAt = System.nanoTime();
                LOG.infof(
                        "Merging %,d index entries of %d runs: %,d blocks are written so far",
                        merge.entryCount(), merge.runs().size(), written);
            }
        }
    }
}
