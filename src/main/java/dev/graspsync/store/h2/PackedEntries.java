package dev.graspsync.store.h2;

import java.util.Arrays;

/** Collects entries as longs, four for each: there are too many of them for an object each. */
final class PackedEntries {

    static final int LONGS = 4;
    private static final int INSERTED = 8;

    private long[] packed = new long[64 * LONGS];
    private int end;

    /**
     * Adds an entry.
     *
     * @param term what is looked up: a hash of a tag, an author, a kind, …
     * @param order within a term: newest first, see {@link Terms#newestFirst}
     * @param prefix the first eight bytes of the event's id, so that ties come lowest id first
     * @param seq where the event is
     */
    void add(long term, long order, long prefix, long seq) {
        if (end == packed.length) {
            packed = Arrays.copyOf(packed, 2 * end);
        }
        packed[end++] = term;
        packed[end++] = order;
        packed[end++] = prefix;
        packed[end++] = seq;
    }

    int size() {
        return end / LONGS;
    }

    long[] toLongs() {
        return Arrays.copyOf(packed, end);
    }

    /** The entries in order: by term, order, prefix and seq, unsigned. */
    Entries sorted() {
        long[] sorted = toLongs();
        sort(packed, sorted, 0, size());
        return new Entries() {
            private int at = -LONGS;

            @Override
            public boolean next() {
                at += LONGS;
                return at < sorted.length;
            }

            @Override
            public long term() {
                return sorted[at];
            }

            @Override
            public long order() {
                return sorted[at + 1];
            }

            @Override
            public long prefix() {
                return sorted[at + 2];
            }

            @Override
            public long seq() {
                return sorted[at + 3];
            }
        };
    }

    /** Merge sort of entries from..to, which both arrays hold, into {@code out}. */
    private static void sort(long[] in, long[] out, int from, int to) {
        if (to - from <= INSERTED) {
            for (int i = from + 1; i < to; i++) {
                insert(out, from, i);
            }
            return;
        }
        int middle = from + to >>> 1;
        sort(out, in, from, middle);
        sort(out, in, middle, to);
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takeLeft = right >= to || left < middle && compare(in, left, in, right) <= 0;
            System.arraycopy(in, LONGS * (takeLeft ? left++ : right++), out, LONGS * i, LONGS);
        }
    }

    private static void insert(long[] out, int from, int at) {
        int place = at;
        while (place > from && compare(out, place - 1, out, at) > 0) {
            place--;
        }
        if (place < at) {
            int hole = LONGS * at;
            long term = out[hole];
            long order = out[hole + 1];
            long prefix = out[hole + 2];
            long seq = out[hole + 3];
            hole = LONGS * place;
            System.arraycopy(out, hole, out, hole + LONGS, LONGS * (at - place));
            out[hole] = term;
            out[hole + 1] = order;
            out[hole + 2] = prefix;
            out[hole + 3] = seq;
        }
    }

    private static int compare(long[] one, int i, long[] other, int j) {
        for (int k = 0; k < LONGS; k++) {
            long a = one[LONGS * i + k];
            long b = other[LONGS * j + k];
            if (a != b) {
                return Long.compareUnsigned(a, b);
            }
        }
        return 0;
    }
}
