package dev.graspsync.nostr;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** A secp256k1 secret key. Its text form hides it, so that no log or message shows it by accident. */
public final class SecretKey {

    public static final int BYTES = 32;

    private static final BigInteger ORDER =
            new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);

    private final byte[] bytes;

    private SecretKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Absent for what is not 64 hex digits, or no number from 1 to below the curve's order. */
    public static Optional<SecretKey> parse(String hex) {
        if (!hex.matches("[0-9a-fA-F]{64}")) {
            return Optional.empty();
        }
        return Optional.of(HexFormat.of().parseHex(hex))
                .filter(SecretKey::isValid)
                .map(SecretKey::new);
    }

    public static SecretKey generate(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        do {
            random.nextBytes(bytes);
        } while (!isValid(bytes));
        return new SecretKey(bytes);
    }

    private static boolean isValid(byte[] bytes) {
        BigInteger value = new BigInteger(1, bytes);
        return value.signum() > 0 && value.compareTo(ORDER) < 0;
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /** The key itself, for keeping it where nobody else reads. */
    public String hex() {
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecretKey that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "SecretKey[hidden]";
    }
}
