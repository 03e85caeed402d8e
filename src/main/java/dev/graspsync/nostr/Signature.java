package dev.graspsync.nostr;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** A BIP-340 signature of 64 bytes. */
public final class Signature {

    public static final int BYTES = 64;

    private final byte[] bytes;

    private Signature(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Signature ofBytes(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a signature has " + BYTES + " bytes, not " + bytes.length);
        }
        return new Signature(bytes.clone());
    }

    public static Optional<Signature> parse(String hex) {
        return Hex.isLowerHex(hex, 2 * BYTES) ? Optional.of(new Signature(Hex.parseBytes(hex))) : Optional.empty();
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    /** Eight of its bytes as a long, counted in longs: 0 to 7. */
    public long word(int number) {
        return ByteBuffer.wrap(bytes).getLong(number * Long.BYTES);
    }

    public String hex() {
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Signature that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return hex();
    }
}
