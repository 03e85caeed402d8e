package dev.graspsync.nostr;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A signed event (NIP-01). That its id and signature are right is {@link EventVerifier}'s to say, not this type's.
 *
 * @param text how it came, where that is how this service would write it; says nothing that the other fields do not
 */
public record Event(
        EventId id,
        PublicKey pubkey,
        long createdAt,
        int kind,
        List<Tag> tags,
        String content,
        Signature sig,
        @Nullable EventText text)
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

    public Event(
            EventId id, PublicKey pubkey, long createdAt, int kind, List<Tag> tags, String content, Signature sig) {
        this(id, pubkey, createdAt, kind, tags, content, sig, null);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Event that
                && id.equals(that.id)
                && pubkey.equals(that.pubkey)
                && createdAt == that.createdAt
                && kind == that.kind
                && tags.equals(that.tags)
                && content.equals(that.content)
                && sig.equals(that.sig);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }
}
