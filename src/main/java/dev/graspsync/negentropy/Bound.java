package dev.graspsync.negentropy;

import java.util.Arrays;

/**
 * Where a range ends: before the first item that is not below it.
 *
 * @param prefix the four words of the id, whose bytes after the first {@code length} are zero
 */
@SuppressWarnings("ArrayRecordComponent") // never compared by equals
record Bound(long timestamp, long[] prefix, int length) {

    /** After every item. The protocol's largest time is larger, yet no event's is. */
    static final long INFINITY = Long.MAX_VALUE;

    static final Bound START = new Bound(0, new long[Ids.WORDS], 0);
    static final Bound END = new Bound(INFINITY, new long[Ids.WORDS], 0);

    /** The shortest bound between an item and the one before it. */
    static Bound before(SealedSet set, int index) {
        long[] ids = set.ids();
        long[] prefix = new long[Ids.WORDS];
        if (set.createdAt(index) != set.createdAt(index - 1)) {
            return new Bound(set.createdAt(index), prefix, 0);
        }
        int shared = 0;
        int word = index * Ids.WORDS;
        while (shared < Ids.BYTES - 1 && byteAt(ids, word, shared) == byteAt(ids, word - Ids.WORDS, shared)) {
            shared++;
        }
        int length = shared + 1;
        int whole = length / Long.BYTES;
        System.arraycopy(ids, word, prefix, 0, whole);
        int rest = length % Long.BYTES;
        if (rest > 0) {
            prefix[whole] = ids[word + whole] & -1L << Long.SIZE - rest * Byte.SIZE;
        }
        return new Bound(set.createdAt(index), prefix, length);
    }

    /** The byte of the id that starts at the given word. */
    static byte byteAt(long[] words, int start, int index) {
        return (byte) (words[start + index / Long.BYTES] >>> Long.SIZE - (index % Long.BYTES + 1) * Byte.SIZE);
    }

    boolean isBelow(Bound other) {
        if (timestamp != other.timestamp) {
            return timestamp < other.timestamp;
        }
        return Ids.compare(prefix, 0, other.prefix, 0) < 0;
    }

    @Override
    public String toString() {
        return timestamp + "/" + Arrays.toString(prefix);
    }
}
