package dev.graspsync.store;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;

/**
 * What is left of an event that is not here any more.
 *
 * @param by the event that made it go; its own id where none did
 * @param firstSeen when it came, in seconds
 */
public record GoneEvent(
        EventId id, int kind, PublicKey pubkey, long createdAt, Why why, EventId by, Provenance from, long firstSeen) {

    /** Why an event is no longer here. */
    public enum Why {
        /** A newer version of the same address came. */
        SUPERSEDED,
        /** Its author asked for its deletion (NIP-09). */
        DELETED,
        /** Its expiration (NIP-40) has passed. */
        EXPIRED,
        /** An announcement that takes its repository off this service; it never was here itself. */
        DELISTED
    }
}
