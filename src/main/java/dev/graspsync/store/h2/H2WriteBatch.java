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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The one open batch: decides what an event does to those that are here, and collects its index entries. */
final class H2WriteBatch implements WriteBatch {

    private final H2EventStore owner;
    private final OpenStore store;
    private final IndexView view;
    private final Lookup lookup;
    private final Terms terms;
    private final long firstSeq;
    private long nextSeq;
    private final List<Entry> entries = new ArrayList<>();
    private final Map<EventId, Long> ownIds = new HashMap<>();
    private final Map<Long, List<Long>> ownTerms = new HashMap<>();
    /** The view does not change while the batch is open, and many events ask about the same repositories. */
    private final Map<Long, List<Long>> lookedUp = new HashMap<>();
    /** Records found by such look-ups, as long as they are as they were: their tags are then read once. */
    private final Map<Long, EventRecord> found = new HashMap<>();

    private boolean open = true;

    H2WriteBatch(H2EventStore owner, OpenStore store) {
        this.owner = owner;
        this.store = store;
        this.view = store.hold();
        this.lookup = store.lookup(view);
        this.terms = store.terms();
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
        store.putRecord(seq, EventRecord.pack(encoded, reason, from, nowSeconds));
        List<Long> decisive = terms.decisive(event);
        terms.addEntries(event, seq, decisive, entries);
        remember(event.id(), seq, decisive);
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
                || newest(address).filter(head -> outranks(head, event)).isPresent()) {
            return false; // relays replay old versions too: a newer one that lists us stays
        }
        supersede(address, event);
        long seq = nextSeq++;
        store.putRecord(seq, EventRecord.packDelisted(event, from, nowSeconds));
        long term = terms.address(address);
        entries.add(new Entry(Terms.ID, event.id().a(), event.id().b(), seq));
        entries.add(
                new Entry(term, Terms.newestFirst(event.createdAt()), event.id().a(), seq));
        remember(event.id(), seq, List.of(term));
        return true;
    }

    private void remember(EventId id, long seq, List<Long> decisive) {
        ownIds.put(id, seq);
        decisive.forEach(term ->
                ownTerms.computeIfAbsent(term, none -> new ArrayList<>(1)).add(seq));
    }

    /** Why an event is not to be stored, or null. */
    private @Nullable SaveResult obstacle(Event event, long nowSeconds) {
        EventRecord same = record(event.id());
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
        if (event.kind() != Kind.VANISH && hasVanished(event)) {
            return new SaveResult.Vanished();
        }
        Optional<EventRecord> deletion = isDeletable(event) ? deletionOf(event) : Optional.empty();
        if (deletion.isPresent()) {
            return new SaveResult.Deleted(deletion.get().id());
        }
        return Address.of(event)
                .flatMap(address -> newest(address).filter(head -> outranks(head, event)))
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

    private boolean hasVanished(Event event) {
        return first(
                        terms.vanishes(event.pubkey()),
                        request -> request.kind() == Kind.VANISH
                                && request.pubkey().equals(event.pubkey())
                                && request.createdAt() >= event.createdAt())
                .isPresent();
    }

    private Optional<EventRecord> deletionOf(Event event) {
        Optional<EventRecord> byId = deletion(event, "e", event.id().hex(), 0);
        return byId.isPresent()
                ? byId
                : Address.of(event).flatMap(address -> deletion(event, "a", address.toString(), event.createdAt()));
    }

    private Optional<EventRecord> deletion(Event event, String tagName, String target, long notBefore) {
        return firstOfRare(
                terms.deletes(event.pubkey(), target),
                deletion -> deletion.isLive()
                        && deletion.kind() == Kind.DELETION
                        && deletion.pubkey().equals(event.pubkey())
                        && deletion.createdAt() >= notBefore
                        && deletion.tags(tagName).anyMatch(tag -> tag.value().equals(target)));
    }

    private void supersede(Address address, EventFields by) {
        newest(address).filter(EventRecord::isLive).ifPresent(old -> markGone(old, State.SUPERSEDED, by.id()));
    }

    private void delete(Event deletion) {
        for (Tag tag : deletion.tags()) {
            if (tag.hasValue() && tag.name().equals("e")) {
                EventId.parse(tag.value()).map(this::record).ifPresent(target -> deleteIfOwn(target, deletion));
            } else if (tag.hasValue() && tag.name().equals("a")) {
                Address.parse(tag.value())
                        .flatMap(this::newest)
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
        List<Long> all = new ArrayList<>(lookup.seqs(terms.author(request.pubkey())));
        all.addAll(ownIds.values());
        for (long seq : all) {
            EventRecord event = seq == ownSeq ? null : store.record(seq);
            if (event != null && event.pubkey().equals(request.pubkey()) && event.createdAt() <= request.createdAt()) {
                store.removeRecord(seq);
                found.remove(seq);
            }
        }
    }

    void markGone(EventRecord event, State why, EventId by) {
        store.replaceRecord(event.seq(), EventRecord.packGone(event, why, by));
        found.remove(event.seq());
    }

    private @Nullable EventRecord record(EventId id) {
        Long own = ownIds.get(id);
        return own != null ? store.record(own) : lookup.byId(id);
    }

    /** The version that counts: the live one, or the announcement that took the repository off. */
    private Optional<EventRecord> newest(Address address) {
        return first(
                terms.address(address),
                event -> (event.isLive() || event.state() == State.DELISTED)
                        && event.kind() == address.kind()
                        && event.pubkey().equals(address.pubkey())
                        && (!event.isLive()
                                || Address.of(event).filter(address::equals).isPresent()));
    }

    /** The newest of this batch, or the first of those before, that is wanted. */
    private Optional<EventRecord> first(long term, Predicate<EventRecord> wanted) {
        return first(term, lookedUp.computeIfAbsent(term, lookup::seqs), wanted);
    }

    /** The same for a term that no other event of the batch asks for: nothing of it is kept. */
    private Optional<EventRecord> firstOfRare(long term, Predicate<EventRecord> wanted) {
        return first(term, lookup.seqs(term), wanted);
    }

    private Optional<EventRecord> first(long term, List<Long> before, Predicate<EventRecord> wanted) {
        List<Long> own = ownTerms.getOrDefault(term, List.of());
        for (int i = own.size(); i > 0; i--) {
            EventRecord event = foundRecord(own.get(i - 1));
            if (event != null && wanted.test(event)) {
                return Optional.of(event);
            }
        }
        for (Long seq : before) {
            EventRecord event = foundRecord(seq);
            if (event != null && wanted.test(event)) {
                return Optional.of(event);
            }
        }
        return Optional.empty();
    }

    private @Nullable EventRecord foundRecord(Long seq) {
        EventRecord event = found.get(seq);
        if (event == null) {
            event = store.record(seq);
            if (event != null) {
                found.put(seq, event);
            }
        }
        return event;
    }

    @Override
    public Optional<StoredEvent> find(EventId id) {
        EventRecord found = record(id);
        return found != null && found.isLive() ? Optional.of(found) : Optional.empty();
    }

    @Override
    public Optional<StoredEvent> head(Address address) {
        return newest(address).filter(EventRecord::isLive).map(event -> event);
    }

    @Override
    public boolean isKnown(EventId id) {
        return record(id) != null;
    }

    @Override
    public boolean isKnown(Address address) {
        return first(
                        terms.address(address),
                        event ->
                                event.kind() == address.kind() && event.pubkey().equals(address.pubkey()))
                .isPresent();
    }

    @Override
    public boolean isMaintainer(String identifier, PublicKey pubkey) {
        String hex = pubkey.hex();
        return first(
                        terms.maintains(identifier, pubkey),
                        event -> event.isLive()
                                && event.kind() == Kind.REPO_ANNOUNCEMENT
                                && event.firstValue("d").orElse("").equals(identifier)
                                && event.tags("maintainers")
                                        .anyMatch(tag -> tag.values().contains(hex)))
                .isPresent();
    }

    @Override
    public boolean isMentioned(String idOrAddress) {
        return firstOfRare(
                        terms.mentions(idOrAddress),
                        event -> event.isLive()
                                && event.tags().stream()
                                        .anyMatch(tag ->
                                                tag.hasValue() && tag.value().equals(idOrAddress)))
                .isPresent();
    }

    @Override
    public void commit() {
        store.commit(entries, firstSeq, nextSeq - 1);
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
