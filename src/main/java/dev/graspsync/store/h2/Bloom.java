package dev.graspsync.store.h2;

/**
 * Says of most terms that a run does not have that it does not, without a look at the run. All bits of a key lie within 64
 * bytes: a miss costs one access to memory, of which a look-up makes one for each run.
 */
record Bloom(long[] bits) {

    private static final int BITS_PER_KEY = 10;
    private static final int PROBES = 6;
    private static final int LINE = 8;
    private static final int BITS_OF_LINE = 9;

    static Bloom forKeys(int keys) {
        int lines = (int) (((long) keys * BITS_PER_KEY >>> BITS_OF_LINE) + 1);
        return new Bloom(new long[lines * LINE]);
    }

    void add(long key) {
        long hash = spread(key);
        int line = line(hash);
        long probes = hash * 0xD6E8FEB86659FD93L;
        for (int i = 0; i < PROBES; i++) {
            probes >>>= BITS_OF_LINE;
            bits[line + (int) (probes >>> 6 & LINE - 1)] |= 1L << probes;
        }
    }

    boolean mayHave(long key) {
        long hash = spread(key);
        int line = line(hash);
        long probes = hash * 0xD6E8FEB86659FD93L;
        for (int i = 0; i < PROBES; i++) {
            probes >>>= BITS_OF_LINE;
            if ((bits[line + (int) (probes >>> 6 & LINE - 1)] & 1L << probes) == 0) {
                return false;
            }
        }
        return true;
    }

    private int line(long hash) {
        return LINE * (int) Math.unsignedMultiplyHigh(hash, bits.length / LINE);
    }

    private static long spread(long key) {
        long x = (key ^ key >>> 31) * 0xBF58476D1CE4E5B9L;
        return (x ^ x >>> 29) * 0x9E3779B97F4A7C15L;
    }

    /** What stands for an entry: its id for the id term, which all events share; its term otherwise. */
    static long key(long term, long order) {
        return term == Terms.ID ? order ^ 0x5555555555555555L : term;
    }
}
