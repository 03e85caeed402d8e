package dev.graspsync.negentropy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes fingerprints: the front of SHA-256 over the sum of the ids and their number. Not for several threads. */
final class Fingerprints {

    private final SealedSet set;
    private final MessageDigest sha256;

    Fingerprints(SealedSet set) {
        this.set = set;
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    Fingerprint of(int from, int to) {
        MessageWriter input = new MessageWriter();
        for (long word : set.sum(from, to)) {
            input.word(Long.reverseBytes(word));
        }
        input.varint(to - from);
        ByteBuffer hash = ByteBuffer.wrap(sha256.digest(input.toBytes())).order(ByteOrder.BIG_ENDIAN);
        return new Fingerprint(hash.getLong(), hash.getLong());
    }
}
