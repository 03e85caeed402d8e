package dev.graspsync.store.h2;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted sequence of entries in blocks, holding all entries of the events from {@code minSeq} to {@code
 * maxSeq}. Its head, always in memory, has the first entry of each block and a Bloom filter. The blocks of a new run are in
 * memory too; those of an old one are in the file.
 *
 * @param kept the blocks, where they are in memory
 */
record Run(
        long id,
        long minSeq,
        long maxSeq,
        long entries,
        int keys,
        long[] firsts,
        Bloom bloom,
        @Nullable List<byte[]> kept) {

    /** Blocks of all runs lie in one map; a run's blocks lie together. */
    static final int BLOCK_BITS = 24;

    static long blockKey(long run, int block) {
        return run << BLOCK_BITS | block;
    }

    int blocks() {
        return firsts.length / PackedEntries.LONGS;
    }

    boolean isKept() {
        return kept != null;
    }

    /** @param filed reads a block of the file */
    byte[] block(int number, LongFunction<byte[]> filed) {
        return kept != null ? kept.get(number) : filed.apply(blockKey(id, number));
    }

    boolean mayHave(long term, long order) {
        return bloom.mayHave(Bloom.key(term, order));
    }

    /** The entries of a term from (order, prefix) on. */
    RunCursor from(long term, long order, long prefix, LongFunction<byte[]> blockBytes) {
        int block = Math.max(0, blockOf(term, order, prefix) - 1);
        return new RunCursor(this, blockBytes, block, term, order, prefix);
    }

    /** About how many entries a term has between two orders; costs no look at a block. */
    long estimate(long term, long fromOrder, long toOrder) {
        if (term != Terms.ID && !mayHave(term, fromOrder)) {
            return 0;
        }
        int from = blockOf(term, fromOrder, 0);
        int to = blockOf(term, toOrder, -1L);
        return 1 + (long) (to - from) * Block.ENTRIES;
    }

    /** The number of the first block that begins at or after a key. */
    private int blockOf(long term, long order, long prefix) {
        int low = 0;
        int high = blocks();
        while (low < high) {
            int middle = low + high >>> 1;
            if (isFirstBelow(middle, term, order, prefix)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isFirstBelow(int block, long term, long order, long prefix) {
        int at = block * PackedEntries.LONGS;
        if (firsts[at] != term) {
            return Long.compareUnsigned(firsts[at], term) < 0;
        }
        return firsts[at + 1] != order
                ? Long.compareUnsigned(firsts[at + 1], order) < 0
                : Long.compareUnsigned(firsts[at + 2], prefix) < 0;
    }

    byte[] packHead() {
        ByteBuffer out = ByteBuffer.allocate(48 + firsts.length * Long.BYTES + bloom.bits().length * 8);
        out.putLong(id)
                .putLong(minSeq)
                .putLong(maxSeq)
                .putLong(entries)
                .putInt(keys)
                .putInt(firsts.length);
        out.asLongBuffer().put(firsts);
        out.position(out.position() + firsts.length * Long.BYTES);
        out.putInt(bloom.bits().length);
        out.asLongBuffer().put(bloom.bits());
        return out.array();
    }

    static Run unpackHead(byte[] packed) {
        ByteBuffer in = ByteBuffer.wrap(packed);
        long id = in.getLong();
        long minSeq = in.getLong();
        long maxSeq = in.getLong();
        long entries = in.getLong();
        int keys = in.getInt();
        long[] firsts = new long[in.getInt()];
        in.asLongBuffer().get(firsts);
        in.position(in.position() + firsts.length * Long.BYTES);
        long[] bits = new long[in.getInt()];
        in.asLongBuffer().get(bits);
        return new Run(id, minSeq, maxSeq, entries, keys, firsts, new Bloom(bits), null);
    }

    /** Makes sorted entries a run in memory; see {@link #write} for the rest. */
    static Run keep(long id, long minSeq, long maxSeq, int keysAtMost, Entries sorted) {
        List<byte[]> kept = new ArrayList<>();
        Run run = write(id, minSeq, maxSeq, keysAtMost, sorted, (key, block) -> kept.add(block));
        return new Run(id, minSeq, maxSeq, run.entries, run.keys, run.firsts, run.bloom, kept);
    }

    /** Takes the blocks of a run that is being written, one after the other. */
    interface BlockSink {
        void put(long key, byte[] block);
    }

    /**
     * Writes sorted entries as a new run of the file.
     *
     * @param keysAtMost an upper bound of the distinct Bloom keys
     */
    static Run write(long id, long minSeq, long maxSeq, int keysAtMost, Entries sorted, BlockSink blocks) {
        Bloom bloom = Bloom.forKeys(keysAtMost);
        PackedEntries firsts = new PackedEntries();
        Block block = new Block();
        long count = 0;
        int keys = 0;
        long lastKey = 0;
        while (sorted.next()) {
            long key = Bloom.key(sorted.term(), sorted.order());
            if (count == 0 || key != lastKey) {
                bloom.add(key);
                keys++;
                lastKey = key;
            }
            if (block.isFull()) {
                blocks.put(blockKey(id, firsts.size() - 1), block.take());
            }
            if (block.isEmpty()) {
                firsts.add(sorted.term(), sorted.order(), sorted.prefix(), sorted.seq());
            }
            block.add(sorted);
            count++;
        }
        if (!block.isEmpty()) {
            blocks.put(blockKey(id, firsts.size() - 1), block.take());
        }
        return new Run(id, minSeq, maxSeq, count, keys, firsts.toLongs(), bloom, null);
    }
}
