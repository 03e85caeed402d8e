package dev.graspsync.nostr;

import java.util.List;

/** A signed event (NIP-01). That its id and signature are right is {@link EventVerifier}'s to say, not this type's. */
public record Event(
        EventId id, PublicKey pubkey, long createdAt, int kind, List<Tag> tags, String content, Signature sig)
        implements EventFields {

    public Event {
        tags = List.copyOf(tags);
        if (createdAt < 0) {
            throw new IllegalArgumentException("created_at is negative");
        }
        if (kind < 0 || kind > Kind.MAX) {
            throw new IllegalArgumentException("kind is not between 0 and " + Kind.MAX);
        }
    }
}
