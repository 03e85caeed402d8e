package dev.graspsync.nostr;

import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.Optional;

/** Text with a prefix and a checksum (BIP-173), as NIP-19 uses it: without BIP-173's limit of 90 characters. */
record Bech32(String prefix, byte[] data) {

    private static final String ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    private static final int[] GENERATOR = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3};
    private static final int CHECKSUM = 6;
    private static final int MOST = 5_000;

    /** Absent where a character or the checksum is wrong. */
    static Optional<Bech32> parse(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        boolean mixed = !text.equals(lower) && !text.equals(text.toUpperCase(Locale.ROOT));
        int separator = lower.lastIndexOf('1');
        if (mixed || text.length() > MOST || separator < 1 || lower.length() - separator - 1 < CHECKSUM) {
            return Optional.empty();
        }
        String prefix = lower.substring(0, separator);
        int[] values = new int[lower.length() - separator - 1];
        for (int i = 0; i < values.length; i++) {
            values[i] = ALPHABET.indexOf(lower.charAt(separator + 1 + i));
            if (values[i] < 0) {
                return Optional.empty();
            }
        }
        if (checksum(prefix, values, values.length) != 1) {
            return Optional.empty();
        }
        return bytes(values, values.length - CHECKSUM).map(data -> new Bech32(prefix, data));
    }

    String text() {
        int[] values = new int[(data.length * 8 + 4) / 5 + CHECKSUM];
        for (int bit = 0; bit < data.length * 8; bit++) {
            int set = data[bit / 8] >> 7 - bit % 8 & 1;
            values[bit / 5] |= set << 4 - bit % 5;
        }
        int checksum = checksum(prefix, values, values.length) ^ 1;
        StringBuilder text = new StringBuilder(prefix).append('1');
        for (int i = 0; i < values.length; i++) {
            int fromEnd = values.length - 1 - i;
            int value = fromEnd < CHECKSUM ? checksum >> 5 * fromEnd & 31 : values[i];
            text.append(ALPHABET.charAt(value));
        }
        return text.toString();
    }

    /** 1 for values that end in their right checksum. */
    private static int checksum(String prefix, int[] values, int count) {
        int sum = 1;
        for (int i = 0; i < prefix.length(); i++) {
            sum = step(sum, prefix.charAt(i) >> 5);
        }
        sum = step(sum, 0);
        for (int i = 0; i < prefix.length(); i++) {
            sum = step(sum, prefix.charAt(i) & 31);
        }
        for (int i = 0; i < count; i++) {
            sum = step(sum, values[i]);
        }
        return sum;
    }

    private static int step(int sum, int value) {
        int top = sum >>> 25;
        int next = (sum & 0x1ffffff) << 5 ^ value;
        for (int i = 0; i < GENERATOR.length; i++) {
            next ^= (top >> i & 1) == 1 ? GENERATOR[i] : 0;
        }
        return next;
    }

    /** Five bits a value to eight a byte; what is left over must be fewer than five, and zero. */
    private static Optional<byte[]> bytes(int[] values, int count) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int bits = 0;
        int held = 0;
        for (int i = 0; i < count; i++) {
            held = (held << 5 | values[i]) & 0xfff;
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                out.write(held >> bits);
            }
        }
        boolean clean = bits < 5 && (held & (1 << bits) - 1) == 0;
        return clean ? Optional.of(out.toByteArray()) : Optional.empty();
    }
}
