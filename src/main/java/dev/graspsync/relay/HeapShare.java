package dev.graspsync.relay;

/**
 * What a buffer may take of the heap. Asked when the process runs: what a native binary has as a constant, it has from
 * the machine it was built on.
 */
public final class HeapShare {

    private HeapShare() {}

    /** That part of the heap, and no more than {@code most} bytes. */
    public static long of(int part, long most) {
        return Math.min(most, Runtime.getRuntime().maxMemory() / part);
    }
}
