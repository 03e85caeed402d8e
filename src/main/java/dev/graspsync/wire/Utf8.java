package dev.graspsync.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Checks UTF-8 as RFC 3629 defines it. Jackson alone would accept overlong forms and encoded surrogates. */
final class Utf8 {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    static boolean isValid(byte[] bytes, int off, int len) {
        int end = off + len;
        int i = off;
        while (i < end) {
            if (i + Long.BYTES <= end && ((long) LONGS.get(bytes, i) & HIGH_BITS) == 0) {
                i += Long.BYTES;
            } else if (bytes[i] >= 0) {
                i++;
            } else {
                int length = sequence(bytes, i, end);
                if (length == 0) {
                    return false;
                }
                i += length;
            }
        }
        return true;
    }

    /** The length of the sequence of two to four bytes at {@code i}; 0 if it is none. */
    private static int sequence(byte[] bytes, int i, int end) {
        int first = bytes[i] & 0xff;
        int length = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : 4;
        if (first < 0xc2 || first > 0xf4 || i + length > end) {
            return 0;
        }
        int second = bytes[i + 1] & 0xff;
        // Overlong, surrogate and beyond U+10FFFF: all show in the second byte.
        int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        if (second < least || second > most) {
            return 0;
        }
        for (int j = i + 2; j < i + length; j++) {
            if ((bytes[j] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
