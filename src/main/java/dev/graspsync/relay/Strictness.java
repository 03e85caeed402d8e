package dev.graspsync.relay;

/** How a relay without an endpoint judges what it is offered. */
public enum Strictness {
    /** As the service would. */
    AS_CONFIGURED,
    /** The same, except that nothing is too old: an export may be. */
    HOWEVER_OLD,
    /** What once had a reason to be here is taken without one, and requests to vanish from the relay it came from. */
    RESTORING
}
