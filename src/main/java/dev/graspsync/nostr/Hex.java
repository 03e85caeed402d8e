package dev.graspsync.nostr;

/** Lower-case hexadecimal, as NIP-01 writes ids, keys and signatures. Upper case is not a valid spelling. */
final class Hex {

    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    private Hex() {}

    static boolean isLowerHex(String text, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (digit(text.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
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
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }
}
