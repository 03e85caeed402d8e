package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Tag;
import java.util.Comparator;
import java.util.List;

/** An event without content and signature. */
record SimEvent(EventId id, PublicKey pubkey, long createdAt, int kind, List<Tag> tags) implements EventFields {

    static final Comparator<SimEvent> NEWEST_FIRST =
            Comparator.comparingLong(SimEvent::createdAt).reversed().thenComparing(SimEvent::id);

    /** What its content might take; relays that cap by bytes see it. */
    int size() {
        return 300 + (int) (id.d() & 0xfff);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SimEvent that && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return kind + "/" + id.hex().substring(0, 8) + "@" + createdAt;
    }
}
