package dev.graspsync.sync.core;

/** Why a relay is not compared with, or no longer, but asked in another way (rule 20). */
public enum Fallback {
    /** It does not know NIP-77: remembered for a day. */
    UNSUPPORTED,
    /** It has much that is none of ours: its filters are compared one by one. */
    TOO_DIFFERENT,
    /** More events than it compares, also in small pieces of time. */
    OVERFLOW,
    /** It refuses this comparison. */
    REFUSED,
    /** It failed again and again. */
    FAILED,
    /** What it said makes no sense. */
    BROKEN,
    /** A few ids it claimed did not come, as when events are replaced meanwhile: asked for again in another way. */
    GONE,
    /** It claimed many ids and did not deliver them. */
    UNDELIVERED;

    /** Whether nothing is compared with the relay any more until its next fresh sync. */
    public boolean isFinal() {
        return switch (this) {
            case UNSUPPORTED, FAILED, BROKEN, UNDELIVERED -> true;
            case TOO_DIFFERENT, OVERFLOW, REFUSED, GONE -> false;
        };
    }
}
