package dev.graspsync.negentropy;

/** Sixteen bytes that stand for all ids of a range. */
record Fingerprint(long first, long second) {

    static final int BYTES = 16;
}
