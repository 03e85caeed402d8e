package dev.graspsync.nostr;

import java.nio.ByteBuffer;
import java.util.Optional;

/** An author's x-only secp256k1 public key (BIP-340), held as four longs to stay small. */
public record PublicKey(long a, long b, long c, long d) implements Comparable<PublicKey> {

    public static final int BYTES = 32;

    public static PublicKey ofHex(String hex) {
        return parse(hex).orElseThrow(() -> new IllegalArgumentException("not 64 lower-case hex digits: " + hex));
    }

    public static Optional<PublicKey> parse(String hex) {
        if (!Hex.isLowerHex(hex, 2 * BYTES)) {
            return Optional.empty();
        }
        return Optional.of(new PublicKey(
                Hex.parseLong(hex, 0), Hex.parseLong(hex, 16), Hex.parseLong(hex, 32), Hex.parseLong(hex, 48)));
    }

    public static PublicKey ofBytes(byte[] bytes) {
        return read(ByteBuffer.wrap(bytes));
    }

    public static PublicKey read(ByteBuffer in) {
        return new PublicKey(in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }

    public void write(ByteBuffer out) {
        out.putLong(a).putLong(b).putLong(c).putLong(d);
    }

    public byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        write(out);
        return out.array();
    }

    public String hex() {
        StringBuilder out = new StringBuilder(2 * BYTES);
        Hex.append(out, a);
        Hex.append(out, b);
        Hex.append(out, c);
        Hex.append(out, d);
        return out.toString();
    }

    /** As the hex strings compare: unsigned, most significant byte first. */
    @Override
    public int compareTo(PublicKey other) {
        int order = Long.compareUnsigned(a, other.a);
        order = order != 0 ? order : Long.compareUnsigned(b, other.b);
        order = order != 0 ? order : Long.compareUnsigned(c, other.c);
        return order != 0 ? order : Long.compareUnsigned(d, other.d);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(a ^ d);
    }

    @Override
    public String toString() {
        return hex();
    }
}
