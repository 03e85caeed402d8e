package dev.graspsync.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Checks UTF-8 as RFC 3629 defines it. Jackson alone would accept overlong forms and encoded surrogates. */
final class Utf8 {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long BACKSLASHES = LOW_BITS * '\\';

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

    /** Whether JSON text may have an escape by number; true as well where a backslash is escaped before a u. */
    static boolean hasUnicodeEscape(byte[] bytes, int off, int len) {
        int end = off + len;
        int i = off;
        while (i < end) {
            if (i + Long.BYTES <= end && !hasBackslash((long) LONGS.get(bytes, i))) {
                i += Long.BYTES;
                continue;
            }
            int stop = Math.min(end, i + Long.BYTES);
            for (; i < stop; i++) {
                if (bytes[i] == '\\' && i + 1 < end && bytes[i + 1] == 'u') {
                    return true;
                }
            }
        }
        return false;
    }

    /** A byte that is a backslash becomes zero, and borrows. It may say yes wrongly, never no. */
    private static boolean hasBackslash(long word) {
        long zero = word ^ BACKSLASHES;
        return (zero - LOW_BITS & ~zero & HIGH_BITS) != 0;
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
