package dev.graspsync.negentropy;

import org.jspecify.annotations.Nullable;

/** Writes the ranges of one message and keeps it within its limit. Skips in a row become one, and the last is left out. */
final class RangeWriter {

    static final int SMALLEST_LIMIT = 4096;

    /** As much as no limit: an array holds no more. */
    private static final int UNLIMITED = 1 << 30;

    private static final int BUCKETS = 16;

    /** A range is broken into buckets of at least so many items. */
    private static final int SMALLEST_BUCKET = 3;

    /**
     * A range of fewer items is listed. Others list up to 31; with single differences in large sets, going on with
     * fingerprints to here takes a round more and a third to a half of the bytes.
     */
    private static final int LIST_BELOW = 2 * SMALLEST_BUCKET;

    /** A whole set of fewer items is listed at once: a list is then cheaper than any further round. */
    private static final int LIST_SET_BELOW = 32;

    /** Kept free for a skip and the fingerprint of all that found no place: at most 63 bytes. */
    private static final int RESERVE = 64;

    /** A skip before it, its own bound, mode and number. */
    private static final int LIST_OVERHEAD = 100;

    private final SealedSet set;
    private final Fingerprints fingerprints;
    private final int limit;
    private final MessageWriter out = new MessageWriter();
    private long lastTimestamp;
    private @Nullable Bound skipped;
    private boolean full;

    /** @param frameLimit the most bytes of the message; 0 for no limit */
    RangeWriter(SealedSet set, Fingerprints fingerprints, int frameLimit) {
        this.set = set;
        this.fingerprints = fingerprints;
        this.limit = (frameLimit == 0 ? UNLIMITED : frameLimit) - RESERVE;
        out.octet(Version.BYTE);
    }

    static int checkedLimit(int frameLimit) {
        if (frameLimit != 0 && frameLimit < SMALLEST_LIMIT) {
            throw new IllegalArgumentException("a frame limit is 0 or at least " + SMALLEST_LIMIT);
        }
        return frameLimit;
    }

    boolean isEmpty() {
        return out.size() == 1;
    }

    byte[] toBytes() {
        return out.toBytes();
    }

    void skip(Bound upper) {
        skipped = upper;
    }

    /** Whether the message is closed, since the last range found no place in it. */
    boolean isFull() {
        return full;
    }

    /** Says of the whole set what a first message has to. */
    void start() {
        if (set.size() < LIST_SET_BELOW) {
            idList(0, set.size(), Bound.END);
        } else {
            split(0, set.size(), Bound.END);
        }
    }

    /** Breaks a range that differs into smaller ones. */
    void split(int from, int to, Bound upper) {
        int size = out.size();
        long timestamp = lastTimestamp;
        Bound skip = skipped;
        int items = to - from;
        if (items < LIST_BELOW) {
            idList(from, to, upper);
        } else {
            int buckets = Math.min(BUCKETS, items / SMALLEST_BUCKET);
            int start = from;
            for (int bucket = 0; bucket < buckets; bucket++) {
                int end = start + items / buckets + (bucket < items % buckets ? 1 : 0);
                fingerprint(start, end, end == to ? upper : Bound.before(set, end));
                start = end;
            }
        }
        if (out.size() > limit) {
            out.cut(size);
            lastTimestamp = timestamp;
            skipped = skip;
            close(from);
        }
    }

    /** Lists the ids of a range, or as many of them as fit. */
    void list(int from, int to, Bound upper) {
        int room = limit - LIST_OVERHEAD - out.size();
        if (room >= (long) (to - from) * Ids.BYTES) {
            idList(from, to, upper);
            return;
        }
        int end = from + Math.max(0, room / Ids.BYTES);
        if (end > from) {
            idList(from, end, Bound.before(set, end));
        }
        close(end);
    }

    /**
     * Ends the message with one fingerprint over all items from {@code from}, which is where the last written or skipped
     * range ended. The other side will break it up, and what found no place comes in a later message.
     */
    private void close(int from) {
        fingerprint(from, set.size(), Bound.END);
        full = true;
    }

    private void fingerprint(int from, int to, Bound upper) {
        range(upper, Mode.FINGERPRINT);
        Fingerprint fingerprint = fingerprints.of(from, to);
        out.word(fingerprint.first());
        out.word(fingerprint.second());
    }

    private void idList(int from, int to, Bound upper) {
        range(upper, Mode.ID_LIST);
        out.varint(to - from);
        for (int word = from * Ids.WORDS; word < to * Ids.WORDS; word++) {
            out.word(set.ids()[word]);
        }
    }

    private void range(Bound upper, Mode mode) {
        if (skipped != null) {
            Bound skip = skipped;
            skipped = null;
            range(skip, Mode.SKIP);
        }
        if (upper.timestamp() == Bound.INFINITY) {
            out.varint(0);
        } else {
            out.varint(1 + upper.timestamp() - lastTimestamp);
        }
        lastTimestamp = upper.timestamp();
        out.varint(upper.length());
        for (int i = 0; i < upper.length(); i++) {
            out.octet(Bound.byteAt(upper.prefix(), 0, i));
        }
        out.varint(mode.ordinal());
    }
}
