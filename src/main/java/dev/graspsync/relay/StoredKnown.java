package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.store.WriteBatch;
import java.util.Optional;
import java.util.function.Predicate;

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
    public boolean isMaintainer(String identifier, PublicKey author, Predicate<EventFields> vouching) {
        return batch.isMaintainer(identifier, author, vouching);
    }

    @Override
    public boolean isMentioned(EventId id, Optional<Address> address) {
        return isMentioned(id.hex())
                || address.filter(known -> isMentioned(known.toString())).isPresent();
    }

    /** What is here only because it was mentioned itself pulls in nothing more: nobody waits for it either. */
    private boolean isMentioned(String idOrAddress) {
        return batch.isMentioned(idOrAddress, event -> switch (REASONS[event.reason()]) {
            case ANNOUNCEMENT, ROOT -> true;
            case STATE, ABOUT, MENTIONED, DELETION, VANISH -> false;
        });
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
