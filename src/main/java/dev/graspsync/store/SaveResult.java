package dev.graspsync.store;

import dev.graspsync.nostr.EventId;

/** What became of one event of a batch. All but {@link Saved} leave the store as it was. */
public sealed interface SaveResult {

    /** Stored; durable once the batch is committed. */
    record Saved(long seq) implements SaveResult {}

    /** It is here already. */
    record Duplicate() implements SaveResult {}

    /** A newer version of the same address is or was here. */
    record Superseded(EventId by) implements SaveResult {}

    /** Its author asked for its deletion (NIP-09), or it was removed for another reason that still holds. */
    record Deleted(EventId by) implements SaveResult {}

    /** Its author asked to vanish (NIP-62) after it was written. */
    record Vanished() implements SaveResult {}

    /** Its expiration (NIP-40) has passed. */
    record Expired() implements SaveResult {}
}
