package dev.graspsync.nostr;

import java.util.Arrays;

/** Lower-case hexadecimal, as NIP-01 writes ids, keys and signatures. Upper case is not a valid spelling. */
final class Hex {

    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    /** The value of each ASCII character that is a digit, -1 for the others. */
    private static final byte[] VALUES = new byte[128];

    static {
        Arrays.fill(VALUES, (byte) -1);
        for (int value = 0; value < DIGITS.length; value++) {
            VALUES[DIGITS[value]] = (byte) value;
        }
    }

    private Hex() {}

    static boolean isLowerHex(String text, int length) {
        if (text.length() != length) {
            return false;
        }
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= digit(text.charAt(i));
        }
        return all >= 0;
    }

    /** The bytes of text that {@link #isLowerHex}. */
    static byte[] parseBytes(String text) {
        byte[] bytes = new byte[text.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (digit(text.charAt(2 * i)) << 4 | digit(text.charAt(2 * i + 1)));
        }
        return bytes;
    }

    /** The 16 digits from {@code start} as a long, most significant first. */
    static long parseLong(String text, int start) {
        long value = 0;
        for (int i = start; i < start + 16; i++) {
            int digit = digit(text.charAt(i));
            if (digit < 0) {
                throw new IllegalArgumentException("not lower-case hex: " + text);
            }
            value = value << 4 | digit;
        }
        return value;
    }

    static void append(StringBuilder out, long value) {
        for (int shift = 60; shift >= 0; shift -= 4) {
            out.append(DIGITS[(int) (value >>> shift) & 15]);
        }
    }

    private static int digit(char c) {
        return c < VALUES.length ? VALUES[c] : -1;
    }
}
