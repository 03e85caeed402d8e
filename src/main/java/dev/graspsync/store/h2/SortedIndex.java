package dev.graspsync.store.h2;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/**
 * The index as a list of runs, oldest events first. Each batch adds a run; runs of about the same size are merged, so
 * that there are few of them and an entry is rewritten only a logarithmic number of times.
 *
 * <p>New runs are kept in memory until they have so many entries together that it is worth writing them to the file, as
 * one run. What a crash takes of them {@link #restore} makes anew from the events, which are in the file in any case. Runs
 * of the file are merged beside the batches, see {@link IndexMerger}. All but reading needs the right to write.
 */
final class SortedIndex {

    /** The map of the runs' heads, the last one a new store opens. */
    static final String RUNS = "index.runs";

    /** That many neighbours of a size become one. */
    private static final int FAN_IN = 6;
    /** Runs up to that many entries count as one size. */
    private static final long SMALLEST = 2_048;
    /** Runs in memory are not merged to larger ones than that: a batch waits for it, some ten milliseconds. */
    private static final long MERGED_WITH_BATCH = 64_000;

    private final MVMap<Long, byte[]> blocks;
    private final MVMap<Long, byte[]> heads;
    private final long mostKept;
    private final Deque<IndexView> oldViews = new ArrayDeque<>();
    private volatile IndexView view;
    private long nextRun;
    /** What is being merged beside the batches, if anything is. */
    private @Nullable Merge merging;

    /** A merge under way: neighbouring runs, the id of what becomes of them, and who was gone when it began. */
    record Merge(long id, List<Run> runs, IndexView view, BitSet gone) {

        long minSeq() {
            return runs.getFirst().minSeq();
        }

        long maxSeq() {
            return runs.getLast().maxSeq();
        }

        long entryCount() {
            return runs.stream().mapToLong(Run::entries).sum();
        }
    }

    /** @param mostKept how many entries may be in memory only */
    SortedIndex(MVStore store, long mostKept) {
        this.mostKept = mostKept;
        blocks = store.openMap("index.blocks", Maps.longToBytes());
        heads = store.openMap(RUNS, Maps.longToBytes());
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

    /** The last event whose entries are in the file. */
    long filedUpTo() {
        List<Run> filed = filed(view.runs());
        return filed.isEmpty() ? 0 : filed.getLast().maxSeq();
    }

    /** Puts back what was in memory when the process ended: the entries of all events after {@link #filedUpTo}. */
    void restore(PackedEntries entries, long lastSeq) {
        if (entries.size() > 0) {
            List<Run> runs = new ArrayList<>(view.runs());
            runs.add(keep(filedUpTo() + 1, lastSeq, entries.size(), entries.sorted()));
            publish(runs, lastSeq);
        }
    }

    /** Adds a batch's entries; seen by readers only after {@link #publish}. */
    List<Run> append(PackedEntries entries, long minSeq, long maxSeq, GoneSeqs gone) {
        List<Run> runs = new ArrayList<>(view.runs());
        if (entries.size() > 0) {
            runs.add(keep(minSeq, maxSeq, entries.size(), entries.sorted()));
        }
        List<Run> due = due(kept(runs));
        while (!due.isEmpty() && entries(due) <= MERGED_WITH_BATCH) {
            replace(due, keep(minSeq(due), maxSeq(due), keys(due), merged(due, gone::contains)), gone);
            due = due(kept(runs));
        }
        if (entries(kept(runs)) > mostKept) {
            file(runs, gone);
        }
        return runs;
    }

    /** Writes to the file what is in memory, so that the next opening need not make it anew; to be committed. */
    void fileAll(GoneSeqs gone) {
        List<Run> runs = new ArrayList<>(view.runs());
        if (!kept(runs).isEmpty()) {
            file(runs, gone);
        }
    }

    private void file(List<Run> runs, GoneSeqs gone) {
        List<Run> kept = kept(runs);
        Run filed =
                Run.write(nextRun++, minSeq(kept), maxSeq(kept), keys(kept), merged(kept, gone::contains), blocks::put);
        heads.put(filed.id(), filed.packHead());
        replace(kept, filed, gone);
    }

    /** @param due part of the list of runs, in whose place comes the new one */
    private static void replace(List<Run> due, Run merged, GoneSeqs gone) {
        gone.forget(merged.minSeq(), merged.maxSeq());
        due.clear();
        due.add(merged);
    }

    /** Shows readers what was committed, and lets go of what no reader holds any more. */
    void publish(List<Run> runs, long lastSeq) {
        IndexView before = view;
        view = new IndexView(runs, lastSeq);
        before.release();
        oldViews.add(before);
        removeUnheld();
    }

    /** The same for a merge, which adds no events. */
    void publish(List<Run> runs) {
        publish(runs, view.lastSeq());
    }

    // Merging beside the batches ----------------------------------------------------------------------------------

    /** Begins the merge that is due, or null. One at a time; it is ended or abandoned. */
    @Nullable
    Merge beginMerge(GoneSeqs gone) {
        List<Run> due = merging == null ? due(filed(view.runs())) : List.of();
        if (due.isEmpty()) {
            return null;
        }
        List<Run> runs = List.copyOf(due);
        BitSet goneThen = gone.between(runs.getFirst().minSeq(), runs.getLast().maxSeq());
        merging = new Merge(nextRun++, runs, hold(), goneThen);
        return merging;
    }

    Run write(Merge merge, Run.BlockSink sink) {
        long first = merge.minSeq();
        return Run.write(
                merge.id(),
                first,
                merge.maxSeq(),
                keys(merge.runs()),
                merged(merge.runs(), seq -> merge.gone().get((int) (seq - first))),
                sink);
    }

    void putBlock(long key, byte[] block) {
        blocks.put(key, block);
    }

    /** Puts the merged run in the place of those it was made of; to be committed and published. */
    List<Run> endMerge(Merge merge, Run merged, GoneSeqs gone) {
        List<Run> runs = new ArrayList<>(view.runs());
        int at = runs.indexOf(merge.runs().getFirst());
        runs.subList(at, at + merge.runs().size()).clear();
        runs.add(at, merged);
        heads.put(merged.id(), merged.packHead());
        merge.runs().forEach(run -> heads.remove(run.id()));
        // Who went since stays on the list: the merged run has their entries.
        merge.gone().stream().forEach(offset -> gone.forget(merge.minSeq() + offset));
        release(merge);
        return runs;
    }

    void abandon(Merge merge) {
        Long key = blocks.ceilingKey(Run.blockKey(merge.id(), 0));
        while (key != null && key >>> Run.BLOCK_BITS == merge.id()) {
            blocks.remove(key);
            key = blocks.higherKey(key);
        }
        release(merge);
    }

    private void release(Merge merge) {
        merge.view().release();
        merging = null;
    }

    // -------------------------------------------------------------------------------------------------------------

    private Run keep(long minSeq, long maxSeq, int keysAtMost, Entries sorted) {
        return Run.keep(nextRun++, minSeq, maxSeq, keysAtMost, sorted);
    }

    /** The newest runs, as part of the list. */
    private static List<Run> kept(List<Run> runs) {
        return runs.subList(filed(runs).size(), runs.size());
    }

    private static List<Run> filed(List<Run> runs) {
        int filed = runs.size();
        while (filed > 0 && runs.get(filed - 1).isKept()) {
            filed--;
        }
        return runs.subList(0, filed);
    }

    private static long minSeq(List<Run> runs) {
        return runs.getFirst().minSeq();
    }

    private static long maxSeq(List<Run> runs) {
        return runs.getLast().maxSeq();
    }

    private Entries merged(List<Run> runs, LongPredicate isGone) {
        return new MergedEntries(
                runs.stream().map(run -> run.from(0, 0, 0, this::block)).toList(), isGone);
    }

    private static int keys(List<Run> runs) {
        return (int)
                Math.min(Integer.MAX_VALUE, runs.stream().mapToLong(Run::keys).sum());
    }

    private static long entries(List<Run> runs) {
        return runs.stream().mapToLong(Run::entries).sum();
    }

    /** The newest of these runs, as part of the list, if there are enough of a size. */
    private static List<Run> due(List<Run> runs) {
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
                return runs.subList(i, runs.size());
            }
        }
        return List.of();
    }

    private static int sizeClass(long entries) {
        int size = 0;
        for (long limit = SMALLEST; entries > limit; limit *= FAN_IN) {
            size++;
        }
        return size;
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
        for (int block = 0; !run.isKept() && block < run.blocks(); block++) {
            blocks.remove(Run.blockKey(run.id(), block));
        }
    }

    /** Blocks without a run: a crash came in the middle of a merge, or before the removal of what it replaced. */
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
