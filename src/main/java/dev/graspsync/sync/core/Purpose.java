package dev.graspsync.sync.core;

/** Why a subscription is open, and so which way its events came: their provenance (rule 28). */
public enum Purpose {
    /** Stays open for what is new. */
    LIVE,
    /** History asked for the first time: what it finds is no gap. */
    FIRST_SYNC,
    /** History after a connection was lost: what it finds is a gap that the live side left. */
    CATCH_UP,
    /** The daily look at everything: what it finds is a gap that even the catch-up left. */
    FRESH_SYNC
}
