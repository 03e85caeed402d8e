package dev.graspsync.negentropy;

/** What a range says of its items. The order is the protocol's numbering. */
enum Mode {
    /** Nothing; the sender is done with it. */
    SKIP,
    /** The fingerprint of all the sender has there. */
    FINGERPRINT,
    /** All ids the sender has there. */
    ID_LIST
}
