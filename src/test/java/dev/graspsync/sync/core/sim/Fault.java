package dev.graspsync.sync.core.sim;

/** What goes wrong at a relay for a while. */
enum Fault {
    /** Nobody can connect, and who is connected is dropped. */
    UNREACHABLE,
    /** Everything sent vanishes; the connection turns out to be dead after a while. */
    BLACKHOLE,
    ACCEPT_THEN_DROP,
    /** The connection drops now and then, also in the middle of an answer. */
    DROPS,
    /** Requests are not answered, while the connection looks alive. */
    SWALLOWS,
    NO_EOSE,
    /** EOSE comes before the events. */
    EARLY_EOSE,
    TWICE_EOSE,
    /** Answers never end: events come one by one, the same again and again. */
    DRIPS,
    /** Some stored events are left out, without a word. */
    PARTIAL,
    RATE_LIMITED,
    RATE_NOTICE,
    ERRORS,
    BLOCKED,
    AUTH_WALL,
    /** Live subscriptions are closed from time to time. */
    CLOSES_LIVE,
    /** Live events get lost, without a word. */
    LOSES_LIVE,
    SLOW,
    /** Takes and hands out much less than usual. */
    TIGHTENS,
    /** Many events that nobody asked for. */
    FLOOD,
    /** Comparisons (NIP-77) end in their middle. */
    NEGENTROPY_CUT_OFF,
    /** Comparisons leave out what is there, and claim what is not. */
    NEGENTROPY_LIES,
    /** Comparisons are answered with what is no message of the protocol. */
    NEGENTROPY_GARBAGE
}
