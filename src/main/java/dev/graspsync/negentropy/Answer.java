package dev.graspsync.negentropy;

import org.jspecify.annotations.Nullable;

/** What both sides do with a message: go through its ranges and answer each, as long as the answer has room. */
final class Answer {

    /** What a side does with a list of the other's ids, in a range that holds our items from..to. */
    interface OnIdList {
        void accept(RangeReader in, int from, int to);
    }

    private Answer() {}

    static @Nullable Failure write(
            byte[] message, SealedSet set, Fingerprints fingerprints, RangeWriter out, OnIdList onIdList) {
        RangeReader in = new RangeReader(message);
        int from = 0;
        while (in.next()) {
            // A full answer is complete, yet a message that is wrong further on is still wrong.
            if (out.isFull()) {
                continue;
            }
            Bound upper = in.upper();
            int to = set.lowerBound(from, upper);
            switch (in.mode()) {
                case SKIP -> out.skip(upper);
                case FINGERPRINT -> {
                    if (in.fingerprint().equals(fingerprints.of(from, to))) {
                        out.skip(upper);
                    } else {
                        out.split(from, to, upper);
                    }
                }
                case ID_LIST -> onIdList.accept(in, from, to);
            }
            from = to;
        }
        return in.failure();
    }
}
