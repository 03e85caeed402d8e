package dev.graspsync.negentropy;

import org.jspecify.annotations.Nullable;

/**
 * Walks over the ranges of a message. It stops at the first byte that is wrong and says why; it never reads past the end
 * and reserves nothing for what a message only claims to hold.
 */
final class RangeReader {

    private static final Mode[] MODES = Mode.values();

    private final byte[] message;
    private int position = 1;
    private Failure.@Nullable Malformed failure;

    private Bound upper = Bound.START;
    private Mode mode = Mode.SKIP;
    private Fingerprint fingerprint = new Fingerprint(0, 0);
    private int ids;
    private int idsStart;

    /** The version byte is the caller's to look at. */
    RangeReader(byte[] message) {
        this.message = message;
    }

    /** Goes to the next range; false at the end and at a failure. */
    boolean next() {
        if (failure != null || position == message.length) {
            return false;
        }
        readBound();
        readMode();
        readPayload();
        return failure == null;
    }

    Failure.@Nullable Malformed failure() {
        return failure;
    }

    /** Where the current range ends in the message. */
    int position() {
        return position;
    }

    Bound upper() {
        return upper;
    }

    Mode mode() {
        return mode;
    }

    Fingerprint fingerprint() {
        return fingerprint;
    }

    /** The ids of the current list, four words each. */
    long[] ids() {
        long[] words = new long[ids * Ids.WORDS];
        for (int word = 0; word < words.length; word++) {
            words[word] = word(idsStart + word * Long.BYTES);
        }
        return words;
    }

    private void readBound() {
        long encoded = varint();
        long timestamp = encoded == 0 ? Bound.INFINITY : encoded - 1;
        if (encoded != 0 && upper.timestamp() == Bound.INFINITY) {
            fail("a range after the last");
        } else if (encoded != 0) {
            timestamp += upper.timestamp();
            if (timestamp < 0 || timestamp == Bound.INFINITY) {
                fail("a time beyond all times");
            }
        }
        long length = varint();
        if (length > Ids.BYTES) {
            fail("an id prefix of more than " + Ids.BYTES + " bytes");
        }
        if (!has(length, "an id prefix")) {
            return;
        }
        long[] prefix = new long[Ids.WORDS];
        for (int i = 0; i < length; i++) {
            prefix[i / Long.BYTES] |= (message[position++] & 0xffL) << Long.SIZE - (i % Long.BYTES + 1) * Byte.SIZE;
        }
        Bound bound = new Bound(timestamp, prefix, (int) length);
        if (bound.isBelow(upper)) {
            fail("a bound below the one before");
        }
        upper = bound;
    }

    private void readMode() {
        long number = varint();
        if (number >= MODES.length) {
            fail("an unknown mode");
        } else {
            mode = MODES[(int) number];
        }
    }

    private void readPayload() {
        switch (mode) {
            case SKIP -> {}
            case FINGERPRINT -> {
                if (has(Fingerprint.BYTES, "a fingerprint")) {
                    fingerprint = new Fingerprint(word(position), word(position + Long.BYTES));
                    position += Fingerprint.BYTES;
                }
            }
            case ID_LIST -> {
                long count = varint();
                // Divided, for a count may be so large that its bytes are no number.
                if (count > (message.length - position) / Ids.BYTES) {
                    fail("ends inside an id list");
                } else if (failure == null) {
                    ids = (int) count;
                    idsStart = position;
                    position += ids * Ids.BYTES;
                }
            }
        }
    }

    private long varint() {
        long value = 0;
        int start = position;
        while (has(1, "a number")) {
            int digit = message[position++];
            if (value > Long.MAX_VALUE >> 7) {
                fail("a number of more than 63 bits");
                break;
            }
            value = value << 7 | digit & 0x7f;
            if (digit >= 0) {
                return value;
            }
            // The protocol writes numbers with as few digits as possible.
            if (position == start + 1 && value == 0) {
                fail("a number with leading zeros");
                break;
            }
        }
        return 0;
    }

    private long word(int start) {
        long word = 0;
        for (int i = start; i < start + Long.BYTES; i++) {
            word = word << Byte.SIZE | message[i] & 0xff;
        }
        return word;
    }

    private boolean has(long bytes, String what) {
        if (failure == null && bytes > message.length - position) {
            fail("ends inside " + what);
        }
        return failure == null;
    }

    private void fail(String reason) {
        if (failure == null) {
            failure = new Failure.Malformed(reason, position);
        }
    }
}
