package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.store.WriteBatch;
import java.util.Optional;

/** What the open batch and the store under it know. */
record StoredKnown(WriteBatch batch) implements Known {

    private static final Verdict.Reason[] REASONS = Verdict.Reason.values();

    @Override
    public Optional<Verdict.Reason> reasonOf(EventId id) {
        return batch.find(id).map(StoredEvent::reason).map(reason -> REASONS[reason]);
    }

    @Override
    public boolean hasAnnouncement(Address repo) {
        return batch.head(repo).isPresent();
    }

    @Override
    public boolean isMaintainer(String identifier, PublicKey author) {
        return batch.isMaintainer(identifier, author);
    }

    @Override
    public boolean isMentioned(EventId id, Optional<Address> address) {
        return batch.isMentioned(id.hex())
                || address.filter(known -> batch.isMentioned(known.toString())).isPresent();
    }

    @Override
    public boolean wasHere(EventId id) {
        return batch.isKnown(id);
    }

    @Override
    public boolean wasHere(Address address) {
        return batch.isKnown(address);
    }
}
