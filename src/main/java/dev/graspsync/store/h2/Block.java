package dev.graspsync.store.h2;

import java.nio.ByteBuffer;
import java.util.List;

/** A few hundred entries in order, packed: what repeats from one entry to the next is not written again. */
record Block(long[] term, long[] order, long[] prefix, long[] seq) {

    static final int ENTRIES = 256;

    int size() {
        return seq.length;
    }

    Entry entry(int i) {
        return new Entry(term[i], order[i], prefix[i], seq[i]);
    }

    /** The index of the first entry that is not below (term, order, prefix); {@link #size} where there is none. */
    int seek(long wantedTerm, long wantedOrder, long wantedPrefix) {
        int low = 0;
        int high = size();
        while (low < high) {
            int middle = low + high >>> 1;
            int c = Long.compareUnsigned(term[middle], wantedTerm);
            c = c != 0 ? c : Long.compareUnsigned(order[middle], wantedOrder);
            c = c != 0 ? c : Long.compareUnsigned(prefix[middle], wantedPrefix);
            if (c < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    static byte[] pack(List<Entry> entries) {
        ByteBuffer out = ByteBuffer.allocate(5 + entries.size() * 37);
        putVarint(out, entries.size());
        long lastTerm = 0;
        long lastOrder = 0;
        for (Entry entry : entries) {
            boolean sameTerm = entry.term() == lastTerm;
            out.put((byte) (sameTerm ? 1 : 0));
            if (!sameTerm) {
                out.putLong(entry.term());
                out.putLong(entry.order());
            } else {
                putVarint(out, entry.order() - lastOrder);
            }
            out.putLong(entry.prefix());
            putVarint(out, entry.seq());
            lastTerm = entry.term();
            lastOrder = entry.order();
        }
        byte[] packed = new byte[out.position()];
        out.flip();
        out.get(packed);
        return packed;
    }

    static Block unpack(byte[] packed) {
        ByteBuffer in = ByteBuffer.wrap(packed);
        int size = (int) getVarint(in);
        Block block = new Block(new long[size], new long[size], new long[size], new long[size]);
        long term = 0;
        long order = 0;
        for (int i = 0; i < size; i++) {
            if (in.get() == 0) {
                term = in.getLong();
                order = in.getLong();
            } else {
                order += getVarint(in);
            }
            block.term[i] = term;
            block.order[i] = order;
            block.prefix[i] = in.getLong();
            block.seq[i] = getVarint(in);
        }
        return block;
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
