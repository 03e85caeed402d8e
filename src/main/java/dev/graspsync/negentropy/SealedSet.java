package dev.graspsync.negentropy;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The items of one side, in the protocol's order: by created_at, then by id. Immutable, so any number of sessions may
 * share it. An item takes 42 bytes: 8 of created_at, 32 of id, and 2 of the sums that make fingerprints cheap.
 */
public final class SealedSet {

    /** One sum is kept for so many items; the sum up to any item is then at most so many additions away. */
    private static final int BLOCK = 16;

    private final long[] createdAt;
    private final long[] ids;
    /** At block b, the sum of all ids before it, modulo 2^256, least significant word first. */
    private final long[] sums;

    private SealedSet(long[] createdAt, long[] ids) {
        this.createdAt = createdAt;
        this.ids = ids;
        this.sums = new long[(createdAt.length / BLOCK + 1) * Ids.WORDS];
        long[] sum = new long[Ids.WORDS];
        for (int i = 0; i < createdAt.length; i++) {
            if (i % BLOCK == 0) {
                System.arraycopy(sum, 0, sums, i / BLOCK * Ids.WORDS, Ids.WORDS);
            }
            Sum.add(sum, ids, i);
        }
        if (createdAt.length % BLOCK == 0) {
            System.arraycopy(sum, 0, sums, createdAt.length / BLOCK * Ids.WORDS, Ids.WORDS);
        }
    }

    public static Builder builder(int expected) {
        return new Builder(expected);
    }

    public int size() {
        return createdAt.length;
    }

    /** A time that halves the items: not all are later; empty where there is none to halve. */
    public OptionalLong middle() {
        return createdAt.length < 2 ? OptionalLong.empty() : OptionalLong.of(createdAt[createdAt.length / 2 - 1]);
    }

    long createdAt(int index) {
        return createdAt[index];
    }

    /** The ids' words, to be read only. */
    long[] ids() {
        return ids;
    }

    /** The first item at or after {@code from} that is not below the bound. */
    int lowerBound(int from, Bound bound) {
        int low = from;
        int high = createdAt.length;
        while (low < high) {
            int middle = low + high >>> 1;
            if (isBelow(middle, bound)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isBelow(int index, Bound bound) {
        if (createdAt[index] != bound.timestamp()) {
            return createdAt[index] < bound.timestamp();
        }
        return Ids.compare(ids, index, bound.prefix(), 0) < 0;
    }

    /** The sum of the ids from {@code from} to before {@code to}, modulo 2^256, least significant word first. */
    long[] sum(int from, int to) {
        long[] sum = sumBefore(to);
        Sum.subtract(sum, sumBefore(from));
        return sum;
    }

    private long[] sumBefore(int index) {
        int block = index / BLOCK;
        long[] sum = Arrays.copyOfRange(sums, block * Ids.WORDS, (block + 1) * Ids.WORDS);
        for (int i = block * BLOCK; i < index; i++) {
            Sum.add(sum, ids, i);
        }
        return sum;
    }

    /** Items in any order, the same one any number of times. */
    public static final class Builder {

        private long[] createdAt;
        private long[] ids;
        private int size;

        private Builder(int expected) {
            createdAt = new long[Math.max(expected, 16)];
            ids = new long[createdAt.length * Ids.WORDS];
        }

        /** Adds an item by its time and the four big-endian words of its id. */
        public Builder add(long createdAt, long a, long b, long c, long d) {
            if (createdAt < 0 || createdAt >= Bound.INFINITY) {
                throw new IllegalArgumentException("no time of an item: " + createdAt);
            }
            if (size == this.createdAt.length) {
                this.createdAt = Arrays.copyOf(this.createdAt, size * 2);
                ids = Arrays.copyOf(ids, size * 2 * Ids.WORDS);
            }
            this.createdAt[size] = createdAt;
            int at = size++ * Ids.WORDS;
            ids[at] = a;
            ids[at + 1] = b;
            ids[at + 2] = c;
            ids[at + 3] = d;
            return this;
        }

        /** Sorts what was added, without what was added before. The builder must not be used afterwards. */
        public SealedSet seal() {
            arrange(MergeSort.sorted(size, this::compare));
            int kept = 0;
            for (int i = 0; i < size; i++) {
                if (i == 0 || compare(kept - 1, i) != 0) {
                    move(i, kept++);
                }
            }
            return new SealedSet(fit(createdAt, kept), fit(ids, kept * Ids.WORDS));
        }

        private int compare(int left, int right) {
            int order = Long.compare(createdAt[left], createdAt[right]);
            return order != 0 ? order : Ids.compare(ids, left, ids, right);
        }

        /** Puts the items in the given order, cycle by cycle, so that no second copy of all is needed. */
        private void arrange(int[] order) {
            long[] id = new long[Ids.WORDS];
            for (int start = 0; start < size; start++) {
                if (order[start] == start) {
                    continue;
                }
                long time = createdAt[start];
                System.arraycopy(ids, start * Ids.WORDS, id, 0, Ids.WORDS);
                int hole = start;
                while (order[hole] != start) {
                    int next = order[hole];
                    move(next, hole);
                    order[hole] = hole;
                    hole = next;
                }
                createdAt[hole] = time;
                System.arraycopy(id, 0, ids, hole * Ids.WORDS, Ids.WORDS);
                order[hole] = hole;
            }
        }

        private void move(int from, int to) {
            if (from != to) {
                createdAt[to] = createdAt[from];
                System.arraycopy(ids, from * Ids.WORDS, ids, to * Ids.WORDS, Ids.WORDS);
            }
        }

        private static long[] fit(long[] array, int length) {
            return array.length == length ? array : Arrays.copyOf(array, length);
        }
    }
}
