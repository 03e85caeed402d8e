package dev.graspsync.sync.core;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Repositories that were synced whole, each as a number made of its address and all that is wanted about it: compact enough to
 * be remembered for every relay, and different as soon as something is missing or new.
 */
public final class RepoDigests {

    public static final RepoDigests NONE = new RepoDigests(new long[0]);

    private final long[] sorted;

    private RepoDigests(long[] sorted) {
        this.sorted = sorted;
    }

    static RepoDigests of(long[] digests) {
        long[] sorted = digests.clone();
        Arrays.sort(sorted);
        return new RepoDigests(sorted);
    }

    boolean contains(long digest) {
        return Arrays.binarySearch(sorted, digest) >= 0;
    }

    public int size() {
        return sorted.length;
    }

    /** As text, for the ledger. */
    public String write() {
        ByteBuffer bytes = ByteBuffer.allocate(sorted.length * Long.BYTES);
        bytes.asLongBuffer().put(sorted);
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    /** Empty where the text is none that {@link #write} made. */
    public static Optional<RepoDigests> read(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
            if (bytes.remaining() % Long.BYTES != 0) {
                return Optional.empty();
            }
            long[] digests = new long[bytes.remaining() / Long.BYTES];
            bytes.asLongBuffer().get(digests);
            return Optional.of(of(digests));
        } catch (IllegalArgumentException garbled) {
            return Optional.empty();
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RepoDigests digests && Arrays.equals(sorted, digests.sorted);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sorted);
    }

    @Override
    public String toString() {
        return sorted.length + " repositories";
    }
}
