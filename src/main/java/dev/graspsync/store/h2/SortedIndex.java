package dev.graspsync.store.h2;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/**
 * The index as a list of runs, oldest events first. Each batch adds a run; runs of about the same size are merged, so
 * that there are few of them and an entry is rewritten only a logarithmic number of times. Written by one thread.
 */
final class SortedIndex {

    /** That many neighbours of a size become one. */
    private static final int FAN_IN = 6;
    /** Runs up to that many entries count as one size. */
    private static final long SMALLEST = 2_048;

    private final MVMap<Long, byte[]> blocks;
    private final MVMap<Long, byte[]> heads;
    private final Deque<IndexView> oldViews = new ArrayDeque<>();
    private volatile IndexView view;
    private long nextRun;

    SortedIndex(MVStore store) {
        blocks = store.openMap("index.blocks", Maps.longToBytes());
        heads = store.openMap("index.runs", Maps.longToBytes());
        List<Run> runs = new ArrayList<>();
        for (byte[] head : heads.values()) {
            runs.add(Run.unpackHead(head));
        }
        runs.sort((one, other) -> Long.compare(one.minSeq(), other.minSeq()));
        nextRun = runs.stream().mapToLong(Run::id).max().orElse(0) + 1;
        view = new IndexView(runs, runs.isEmpty() ? 0 : runs.getLast().maxSeq());
        removeOrphans(runs);
    }

    /** The newest view, held: to be released by the caller. */
    IndexView hold() {
        while (true) {
            IndexView newest = view;
            if (newest.tryHold()) {
                return newest;
            }
        }
    }

    byte[] block(long key) {
        byte[] bytes = blocks.get(key);
        if (bytes == null) {
            throw new IllegalStateException("index block " + key + " is missing");
        }
        return bytes;
    }

    /** Adds a batch's entries; seen by readers only after {@link #publish}. */
    List<Run> append(List<Entry> entries, long minSeq, long maxSeq, GoneSeqs gone) {
        List<Run> runs = new ArrayList<>(view.runs());
        if (!entries.isEmpty()) {
            Collections.sort(entries);
            Run added = write(minSeq, maxSeq, entries.size(), entries.iterator());
            runs.add(added);
        }
        mergeWhereDue(runs, gone);
        return runs;
    }

    /** Shows readers what was committed, and lets go of what no reader holds any more. */
    void publish(List<Run> runs, long lastSeq) {
        IndexView before = view;
        view = new IndexView(runs, lastSeq);
        before.release();
        oldViews.add(before);
        removeUnheld();
    }

    private Run write(long minSeq, long maxSeq, long keysAtMost, Iterator<Entry> sorted) {
        long id = nextRun++;
        Run run = Run.write(id, minSeq, maxSeq, (int) Math.min(keysAtMost, Integer.MAX_VALUE), sorted, blocks::put);
        if (run == null) {
            run = new Run(id, minSeq, maxSeq, 0, 0, new Entry[0], Bloom.forKeys(0));
        }
        heads.put(id, run.packHead());
        return run;
    }

    private void mergeWhereDue(List<Run> runs, GoneSeqs gone) {
        int from = mergeFrom(runs);
        while (from >= 0) {
            List<Run> tail = runs.subList(from, runs.size());
            Run merged = merge(tail, gone);
            tail.clear();
            runs.add(merged);
            from = mergeFrom(runs);
        }
    }

    /** Where the newest runs that are due for merging begin, or -1. */
    private static int mergeFrom(List<Run> runs) {
        int size = 0;
        int inSize = 0;
        for (int i = runs.size() - 1; i >= 0; i--) {
            int own = sizeClass(runs.get(i).entries());
            if (own > size) {
                size = own;
                inSize = 0;
            }
            inSize++;
            if (inSize >= FAN_IN) {
                return i;
            }
        }
        return -1;
    }

    private static int sizeClass(long entries) {
        int size = 0;
        for (long limit = SMALLEST; entries > limit; limit *= FAN_IN) {
            size++;
        }
        return size;
    }

    private Run merge(List<Run> runs, GoneSeqs gone) {
        List<RunCursor> cursors = new ArrayList<>();
        long keys = 0;
        for (Run run : runs) {
            cursors.add(run.from(0, 0, 0, this::block));
            keys += run.keys();
        }
        Run merged = write(
                runs.getFirst().minSeq(), runs.getLast().maxSeq(), keys, new MergedEntries(cursors, gone::contains));
        runs.forEach(run -> heads.remove(run.id()));
        gone.forget(merged.minSeq(), merged.maxSeq());
        return merged;
    }

    /** Removes the blocks of runs that only views without holders have. */
    private void removeUnheld() {
        Set<Long> held = new HashSet<>();
        view.runs().forEach(run -> held.add(run.id()));
        oldViews.stream()
                .filter(old -> !old.isUnused())
                .forEach(old -> old.runs().forEach(run -> held.add(run.id())));
        for (Iterator<IndexView> all = oldViews.iterator(); all.hasNext(); ) {
            IndexView old = all.next();
            if (old.isUnused()) {
                all.remove();
                old.runs().stream().filter(run -> !held.contains(run.id())).forEach(this::removeBlocks);
            }
        }
    }

    private void removeBlocks(Run run) {
        for (int block = 0; block < run.blocks(); block++) {
            blocks.remove(Run.blockKey(run.id(), block));
        }
    }

    /** Blocks without a run: a crash came between a merge and the removal of what it replaced. */
    private void removeOrphans(List<Run> runs) {
        Set<Long> known = new HashSet<>();
        runs.forEach(run -> known.add(run.id()));
        Long key = blocks.firstKey();
        while (key != null) {
            long run = key >>> Run.BLOCK_BITS;
            if (known.contains(run)) {
                key = blocks.ceilingKey(Run.blockKey(run + 1, 0));
            } else {
                nextRun = Math.max(nextRun, run + 1);
                blocks.remove(key);
                key = blocks.higherKey(key);
            }
        }
    }
}
