package dev.graspsync.observe.api;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the store can tell about something, in the terms of an explanation. */
record StoredFacts(EventStore store) {

    List<StoredEvent> some(Filter filter, int most) {
        List<StoredEvent> found = new ArrayList<>();
        try (EventCursor cursor =
                store.query(List.of(filter), most, Instant.now().getEpochSecond())) {
            for (StoredEvent event = cursor.next(); event != null; event = cursor.next()) {
                found.add(event);
            }
        }
        return found;
    }

    Optional<StoredEvent> newest(Filter filter) {
        return some(filter, 1).stream().findFirst();
    }

    Optional<StoredEvent> newest(Address address) {
        Filter filter = Filter.ALL.withKinds(address.kind()).withAuthors(Set.of(address.pubkey()));
        return newest(Kind.isAddressable(address.kind()) ? filter.withTag("d", Set.of(address.identifier())) : filter);
    }

    /** NIP-62. */
    Optional<StoredEvent> vanishOf(PublicKey author) {
        return newest(Filter.ALL.withKinds(Kind.VANISH).withAuthors(Set.of(author)));
    }

    /** NIP-09: by the author, or, where that is not known, by anybody. */
    Optional<StoredEvent> deletionOf(EventId id, Optional<PublicKey> author) {
        Filter filter = Filter.ALL.withKinds(Kind.DELETION).withTag("e", Set.of(id.hex()));
        return newest(author.map(key -> filter.withAuthors(Set.of(key))).orElse(filter));
    }

    /** NIP-09, of all versions up to then. */
    Optional<StoredEvent> deletionOf(Address address) {
        return newest(Filter.ALL
                .withKinds(Kind.DELETION)
                .withAuthors(Set.of(address.pubkey()))
                .withTag("a", Set.of(address.toString())));
    }

    /** The repository an event is about, as it says itself. */
    static Optional<RepoAddress> repositoryOf(EventFields event) {
        if (event.kind() == Kind.REPO_ANNOUNCEMENT || event.kind() == Kind.REPO_STATE) {
            return event.firstValue("d").map(name -> new RepoAddress(event.pubkey(), name));
        }
        return event.tags().stream()
                .filter(tag -> tag.name().equals("a") || tag.name().equals("A"))
                .flatMap(tag -> RepoAddress.parse(tag.value()).stream())
                .findFirst();
    }
}
