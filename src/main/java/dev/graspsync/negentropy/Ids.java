package dev.graspsync.negentropy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Ids of 32 bytes in one array, four longs each and most significant byte first: no object per id. */
public final class Ids {

    static final int BYTES = 32;
    static final int WORDS = 4;

    private final long[] words;

    private Ids(long[] words) {
        this.words = words;
    }

    public int size() {
        return words.length / WORDS;
    }

    public boolean isEmpty() {
        return words.length == 0;
    }

    /** What an id becomes outside of this package, such as {@code EventId::new}. */
    public interface Mapper<T> {
        T map(long a, long b, long c, long d);
    }

    public <T> List<T> map(Mapper<T> mapper) {
        List<T> all = new ArrayList<>(size());
        for (int i = 0; i < words.length; i += WORDS) {
            all.add(mapper.map(words[i], words[i + 1], words[i + 2], words[i + 3]));
        }
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ids ids && Arrays.equals(words, ids.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    @Override
    public String toString() {
        return size() + " ids";
    }

    /** Compares two ids as their bytes do, unsigned and from the front. */
    static int compare(long[] left, int i, long[] right, int j) {
        for (int word = 0; word < WORDS; word++) {
            int order = Long.compareUnsigned(left[i * WORDS + word], right[j * WORDS + word]);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Ids being collected. */
    static final class Collector {

        private long[] words = new long[16 * WORDS];
        private int size;

        int size() {
            return size;
        }

        void add(long[] from, int index) {
            if ((size + 1) * WORDS > words.length) {
                words = Arrays.copyOf(words, words.length * 2);
            }
            System.arraycopy(from, index * WORDS, words, size++ * WORDS, WORDS);
        }

        Ids toIds() {
            return new Ids(Arrays.copyOf(words, size * WORDS));
        }
    }
}
