package dev.graspsync.store.h2;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.store.h2.EventRecord.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the open batch sees: the events that are committed, and those it has saved itself. */
final class BatchView {

    private final OpenStore store;
    private final Lookup lookup;
    private final Terms terms;
    private final RecentLookups recent;
    private final Map<EventId, Long> ownIds = new HashMap<>();
    private final Map<Long, List<Long>> ownTerms = new HashMap<>();

    BatchView(OpenStore store, IndexView view) {
        this.store = store;
        this.lookup = store.lookup(view);
        this.terms = store.terms();
        this.recent = store.recent();
    }

    /** @param decisive the terms under which it is to be found from now on */
    void add(EventId id, long seq, List<Long> decisive) {
        ownIds.put(id, seq);
        for (Long term : decisive) {
            ownTerms.computeIfAbsent(term, none -> new ArrayList<>(1)).add(seq);
        }
    }

    /** What was added is committed. */
    void committed() {
        recent.committed(ownTerms);
    }

    @Nullable
    EventRecord byId(EventId id) {
        Long own = ownIds.get(id);
        return own != null ? store.record(own) : lookup.byId(id);
    }

    /** The version that counts: the live one, or the announcement that took the repository off. */
    Optional<EventRecord> newest(Address address) {
        return last(
                terms.address(address),
                event -> (event.isLive() || event.state() == State.DELISTED)
                        && event.kind() == address.kind()
                        && event.pubkey().equals(address.pubkey())
                        && (!event.isLive()
                                || Address.of(event).filter(address::equals).isPresent()));
    }

    boolean isKnown(Address address) {
        return last(
                        terms.address(address),
                        event ->
                                event.kind() == address.kind() && event.pubkey().equals(address.pubkey()))
                .isPresent();
    }

    boolean hasVanished(Event event) {
        return last(
                        terms.vanishes(event.pubkey()),
                        request -> request.kind() == Kind.VANISH
                                && request.pubkey().equals(event.pubkey())
                                && request.createdAt() >= event.createdAt())
                .isPresent();
    }

    /** The deletion (NIP-09) that names this event. */
    Optional<EventRecord> deletionOf(Event event) {
        long deletions = terms.authorKind(event.pubkey(), Kind.DELETION);
        if (!ownTerms.containsKey(deletions) && !recent.isPresent(deletions, lookup)) {
            return Optional.empty(); // most authors never delete anything
        }
        Optional<EventRecord> byId = deletion(event, "e", event.id().hex(), 0);
        return byId.isPresent()
                ? byId
                : Address.of(event).flatMap(address -> deletion(event, "a", address.toString(), event.createdAt()));
    }

    private Optional<EventRecord> deletion(Event event, String tagName, String target, long notBefore) {
        return lastOfRare(
                terms.deletes(event.pubkey(), target),
                deletion -> deletion.isLive()
                        && deletion.kind() == Kind.DELETION
                        && deletion.pubkey().equals(event.pubkey())
                        && deletion.createdAt() >= notBefore
                        && deletion.tags(tagName).anyMatch(tag -> tag.value().equals(target)));
    }

    boolean isMaintainer(String identifier, PublicKey pubkey, Predicate<EventFields> counts) {
        String hex = pubkey.hex();
        return last(
                        terms.maintains(identifier, pubkey),
                        event -> event.isLive()
                                && event.kind() == Kind.REPO_ANNOUNCEMENT
                                && !event.pubkey().equals(pubkey)
                                && event.firstValue("d").orElse("").equals(identifier)
                                && event.tags("maintainers")
                                        .anyMatch(tag -> tag.values().contains(hex))
                                && counts.test(event))
                .isPresent();
    }

    boolean isMentioned(String idOrAddress, Predicate<StoredEvent> counts) {
        return lastOfRare(
                        terms.mentions(idOrAddress),
                        event -> event.isLive()
                                && counts.test(event)
                                && event.tags().stream()
                                        .anyMatch(tag ->
                                                tag.hasValue() && tag.value().equals(idOrAddress)))
                .isPresent();
    }

    /** Every event of an author, and others by chance. */
    List<Long> seqsOf(PublicKey author) {
        List<Long> all = new ArrayList<>(lookup.seqs(terms.author(author)));
        all.addAll(ownIds.values());
        return all;
    }

    /** The one that was committed or saved last, of those that are wanted. */
    private Optional<EventRecord> last(long term, Predicate<EventRecord> wanted) {
        return last(term, recent.seqs(term, lookup), wanted);
    }

    /** The same for a term that hardly any other event asks for: nothing of it is kept. */
    private Optional<EventRecord> lastOfRare(long term, Predicate<EventRecord> wanted) {
        return last(term, lookup.seqs(term), wanted);
    }

    private Optional<EventRecord> last(long term, List<Long> before, Predicate<EventRecord> wanted) {
        Optional<EventRecord> own = last(ownTerms.getOrDefault(term, List.of()), wanted);
        return own.isPresent() ? own : last(before, wanted);
    }

    private Optional<EventRecord> last(List<Long> seqs, Predicate<EventRecord> wanted) {
        for (int i = seqs.size() - 1; i >= 0; i--) {
            EventRecord event = recent.record(seqs.get(i), lookup);
            if (event != null && wanted.test(event)) {
                return Optional.of(event);
            }
        }
        return Optional.empty();
    }
}
