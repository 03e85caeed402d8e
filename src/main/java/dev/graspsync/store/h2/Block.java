package dev.graspsync.store.h2;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * How entries lie in a block of a run: packed, in order, without what repeats from one to the next. This is the side that
 * packs; {@link RunCursor} reads.
 */
final class Block {

    static final int ENTRIES = 128;
    private static final int LONGEST_ENTRY = 1 + 3 * Long.BYTES + 10;

    private final ByteBuffer out = ByteBuffer.allocate(ENTRIES * LONGEST_ENTRY);
    private int size;
    private long lastTerm;
    private long lastOrder;

    boolean isEmpty() {
        return size == 0;
    }

    boolean isFull() {
        return size == ENTRIES;
    }

    void add(Entries entry) {
        boolean sameTerm = size > 0 && entry.term() == lastTerm;
        out.put((byte) (sameTerm ? 1 : 0));
        if (sameTerm) {
            putVarint(out, entry.order() - lastOrder);
        } else {
            out.putLong(entry.term()).putLong(entry.order());
        }
        out.putLong(entry.prefix());
        putVarint(out, entry.seq());
        lastTerm = entry.term();
        lastOrder = entry.order();
        size++;
    }

    /** The packed block; this one is empty then. */
    byte[] take() {
        byte[] packed = Arrays.copyOf(out.array(), out.position());
        out.clear();
        size = 0;
        return packed;
    }

    static void putVarint(ByteBuffer out, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.put((byte) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }

    static long getVarint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte b = in.get();
            value |= (b & 0x7FL) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalStateException("a varint of more than ten bytes in an index block");
    }
}
