package dev.graspsync.store.h2;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * An immutable sorted sequence of entries in blocks, holding all entries of the events from {@code minSeq} to {@code
 * maxSeq}. Its head, kept in memory, has the first entry of each block and a Bloom filter.
 */
record Run(long id, long minSeq, long maxSeq, long entries, int keys, Entry[] firsts, Bloom bloom) {

    /** Blocks of all runs lie in one map; a run's blocks lie together. */
    static final int BLOCK_BITS = 24;

    static long blockKey(long run, int block) {
        return run << BLOCK_BITS | block;
    }

    int blocks() {
        return firsts.length;
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
        Entry wanted = new Entry(term, order, prefix, 0);
        int low = 0;
        int high = firsts.length;
        while (low < high) {
            int middle = low + high >>> 1;
            if (firsts[middle].compareTo(wanted) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    byte[] packHead() {
        ByteBuffer out = ByteBuffer.allocate(48 + firsts.length * 32 + bloom.bits().length * 8);
        out.putLong(id)
                .putLong(minSeq)
                .putLong(maxSeq)
                .putLong(entries)
                .putInt(keys)
                .putInt(firsts.length);
        for (Entry first : firsts) {
            out.putLong(first.term())
                    .putLong(first.order())
                    .putLong(first.prefix())
                    .putLong(first.seq());
        }
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
        Entry[] firsts = new Entry[in.getInt()];
        for (int i = 0; i < firsts.length; i++) {
            firsts[i] = new Entry(in.getLong(), in.getLong(), in.getLong(), in.getLong());
        }
        long[] bits = new long[in.getInt()];
        in.asLongBuffer().get(bits);
        return new Run(id, minSeq, maxSeq, entries, keys, firsts, new Bloom(bits));
    }

    /** Takes the blocks of a run that is being written. */
    interface BlockSink {
        void put(long key, byte[] block);
    }

    /**
     * Writes sorted entries as a new run.
     *
     * @param keysAtMost an upper bound of the distinct Bloom keys
     */
    static Run write(long id, long minSeq, long maxSeq, int keysAtMost, Entries sorted, BlockSink blocks) {
        Bloom bloom = Bloom.forKeys(keysAtMost);
        List<Entry> firsts = new ArrayList<>();
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
                firsts.add(new Entry(sorted.term(), sorted.order(), sorted.prefix(), sorted.seq()));
            }
            block.add(sorted);
            count++;
        }
        if (!block.isEmpty()) {
            blocks.put(blockKey(id, firsts.size() - 1), block.take());
        }
        return new Run(id, minSeq, maxSeq, count, keys, firsts.toArray(Entry[]::new), bloom);
    }
}
