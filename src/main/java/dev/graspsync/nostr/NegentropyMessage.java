package dev.graspsync.nostr;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The binary message inside of {@code NEG-OPEN} and {@code NEG-MSG} (NIP-77), which spells it in hex.
 *
 * @param bytes not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // compared below
public record NegentropyMessage(byte[] bytes) {

    /** NIP-77 says hex and no more, so both cases are read; lower case is written. */
    public static Optional<NegentropyMessage> parse(String hex) {
        if (hex.length() % 2 != 0 || !hex.chars().allMatch(HexFormat::isHexDigit)) {
            return Optional.empty();
        }
        return Optional.of(new NegentropyMessage(HexFormat.of().parseHex(hex)));
    }

    public String hex() {
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NegentropyMessage message && Arrays.equals(bytes, message.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
