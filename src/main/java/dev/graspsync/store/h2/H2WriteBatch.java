package dev.graspsync.store.h2;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.SaveResult;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.EventRecord.State;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The one open batch: decides what an event does to those that are here, and collects its index entries. */
final class H2WriteBatch implements WriteBatch {

    private final H2EventStore owner;
    private final OpenStore store;
    private final IndexView view;
    private final BatchView seen;
    private final Terms terms;
    private final RecordPacker packer;
    private final long firstSeq;
    private long nextSeq;
    private final PackedEntries entries = new PackedEntries();
    private boolean open = true;

    H2WriteBatch(H2EventStore owner, OpenStore store) {
        this.owner = owner;
        this.store = store;
        this.view = store.hold();
        this.seen = new BatchView(store, view);
        this.terms = store.terms();
        this.packer = store.packer();
        this.firstSeq = store.nextSeq();
        this.nextSeq = firstSeq;
    }

    @Override
    public SaveResult save(EncodedEvent encoded, int reason, Provenance from, long nowSeconds) {
        Event event = encoded.event();
        SaveResult obstacle = obstacle(event, nowSeconds);
        if (obstacle != null) {
            return obstacle;
        }
        Address.of(event).ifPresent(address -> supersede(address, event));
        long seq = nextSeq++;
        store.putRecord(seq, packer.pack(encoded, reason, from, nowSeconds));
        List<Long> decisive = terms.decisive(event);
        terms.addEntries(event, seq, decisive, entries);
        seen.add(event.id(), seq, decisive);
        switch (event.kind()) {
            case Kind.DELETION -> delete(event);
            case Kind.VANISH -> vanish(event, seq);
            default -> {}
        }
        return new SaveResult.Saved(seq);
    }

    @Override
    public boolean delist(EncodedEvent announcement, Provenance from, long nowSeconds) {
        Event event = announcement.event();
        Address address = Address.of(event).orElseThrow();
        if (isKnown(event.id())
                || seen.newest(address).filter(head -> outranks(head, event)).isPresent()) {
            return false; // relays replay old versions too: a newer one that lists us stays
        }
        supersede(address, event);
        long seq = nextSeq++;
        long term = terms.address(address);
        store.putRecord(seq, packer.packDelisted(event, term, from, nowSeconds));
        Terms.addDelisted(event, seq, term, entries);
        seen.add(event.id(), seq, List.of(term));
        return true;
    }

    /** Why an event is not to be stored, or null. */
    private @Nullable SaveResult obstacle(Event event, long nowSeconds) {
        EventRecord same = seen.byId(event.id());
        if (same != null) {
            return switch (same.state()) {
                case LIVE -> new SaveResult.Duplicate();
                case SUPERSEDED, DELISTED -> new SaveResult.Superseded(same.goneBy());
                case DELETED -> new SaveResult.Deleted(same.goneBy());
                case EXPIRED -> new SaveResult.Expired();
            };
        }
        if (event.isExpired(nowSeconds)) {
            return new SaveResult.Expired();
        }
        if (event.kind() != Kind.VANISH && seen.hasVanished(event)) {
            return new SaveResult.Vanished();
        }
        Optional<EventRecord> deletion = isDeletable(event) ? seen.deletionOf(event) : Optional.empty();
        if (deletion.isPresent()) {
            return new SaveResult.Deleted(deletion.get().id());
        }
        return Address.of(event)
                .flatMap(address -> seen.newest(address).filter(head -> outranks(head, event)))
                .map(head -> new SaveResult.Superseded(head.id()))
                .orElse(null);
    }

    /** NIP-09: a deletion cannot be deleted; nor can a request to vanish (NIP-62). */
    private static boolean isDeletable(EventFields event) {
        return event.kind() != Kind.DELETION && event.kind() != Kind.VANISH;
    }

    /** NIP-01: the newer version counts; in the same second the one with the lowest id. */
    private static boolean outranks(EventFields one, EventFields other) {
        return one.createdAt() != other.createdAt()
                ? one.createdAt() > other.createdAt()
                : one.id().compareTo(other.id()) < 0;
    }

    private void supersede(Address address, EventFields by) {
        seen.newest(address).filter(EventRecord::isLive).ifPresent(old -> markGone(old, State.SUPERSEDED, by.id()));
    }

    private void delete(Event deletion) {
        for (Tag tag : deletion.tags()) {
            if (tag.hasValue() && tag.name().equals("e")) {
                EventId.parse(tag.value()).map(seen::byId).ifPresent(target -> deleteIfOwn(target, deletion));
            } else if (tag.hasValue() && tag.name().equals("a")) {
                Address.parse(tag.value())
                        .flatMap(seen::newest)
                        .filter(head -> head.createdAt() <= deletion.createdAt())
                        .ifPresent(head -> deleteIfOwn(head, deletion));
            }
        }
    }

    private void deleteIfOwn(EventRecord target, Event deletion) {
        if (target.isLive() && target.pubkey().equals(deletion.pubkey()) && isDeletable(target)) {
            markGone(target, State.DELETED, deletion.id());
        }
    }

    /** NIP-62: everything of the author up to then is truly removed, its deletions included. */
    private void vanish(Event request, long ownSeq) {
        for (long seq : seen.seqsOf(request.pubkey())) {
            EventRecord event = seq == ownSeq ? null : store.record(seq);
            if (event != null && event.pubkey().equals(request.pubkey()) && event.createdAt() <= request.createdAt()) {
                store.removeRecord(seq);
            }
        }
    }

    void markGone(EventRecord event, State why, EventId by) {
        store.replaceRecord(event.seq(), packer.packGone(event, why, by));
    }

    @Override
    public Optional<StoredEvent> find(EventId id) {
        EventRecord found = seen.byId(id);
        return found != null && found.isLive() ? Optional.of(found) : Optional.empty();
    }

    @Override
    public Optional<StoredEvent> head(Address address) {
        return seen.newest(address).filter(EventRecord::isLive).map(event -> event);
    }

    @Override
    public boolean isKnown(EventId id) {
        return seen.byId(id) != null;
    }

    @Override
    public boolean isKnown(Address address) {
        return seen.isKnown(address);
    }

    @Override
    public boolean isMaintainer(String identifier, PublicKey pubkey, Predicate<EventFields> counts) {
        return seen.isMaintainer(identifier, pubkey, counts);
    }

    @Override
    public boolean isMentioned(String idOrAddress, Predicate<StoredEvent> counts) {
        return seen.isMentioned(idOrAddress, counts);
    }

    @Override
    public void forget(StoredEvent event) {
        store.removeRecord(event.seq());
    }

    @Override
    public void commit() {
        store.commit(entries, firstSeq, nextSeq - 1);
        seen.committed();
        end();
    }

    @Override
    public void close() {
        if (open) {
            try {
                store.rollback();
            } finally {
                end();
            }
        }
    }

    private void end() {
        open = false;
        view.release();
        owner.endBatch();
    }
}
