package dev.graspsync.store.h2;

/** Says of most terms that a run does not have that it does not, without a look at the run. */
record Bloom(long[] bits) {

    private static final int BITS_PER_KEY = 10;
    private static final int PROBES = 6;

    static Bloom forKeys(int keys) {
        return new Bloom(new long[Math.max(1, (int) ((long) keys * BITS_PER_KEY + 63 >>> 6))]);
    }

    void add(long key) {
        long hash = spread(key);
        for (int i = 0; i < PROBES; i++) {
            long bit = position(hash, i);
            bits[(int) (bit >>> 6)] |= 1L << bit;
        }
    }

    boolean mayHave(long key) {
        long hash = spread(key);
        for (int i = 0; i < PROBES; i++) {
            long bit = position(hash, i);
            if ((bits[(int) (bit >>> 6)] & 1L << bit) == 0) {
                return false;
            }
        }
        return true;
    }

    private long position(long hash, int probe) {
        long mixed = hash + probe * (hash >>> 32 | hash << 32 | 1);
        return Math.unsignedMultiplyHigh(mixed * 0x9E3779B97F4A7C15L, (long) bits.length << 6);
    }

    private static long spread(long key) {
        long x = (key ^ key >>> 31) * 0xBF58476D1CE4E5B9L;
        return x ^ x >>> 29;
    }

    /** What stands for an entry: its id for the id term, which all events share; its term otherwise. */
    static long key(long term, long order) {
        return term == Terms.ID ? order ^ 0x5555555555555555L : term;
    }
}
