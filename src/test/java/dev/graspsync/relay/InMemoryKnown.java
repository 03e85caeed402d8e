package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.relay.Verdict.Reason;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Answers by looking through all accepted events: slow, and plainly right. */
final class InMemoryKnown implements Known {

    private final Map<EventFields, Reason> accepted = new LinkedHashMap<>();
    private final Set<Object> gone = new HashSet<>();

    InMemoryKnown with(EventFields event, Reason reason) {
        accepted.put(event, reason);
        return this;
    }

    void delete(EventFields event) {
        accepted.remove(event);
        gone.add(event.id());
        Address.of(event).ifPresent(gone::add);
    }

    @Override
    public Optional<Reason> reasonOf(EventId id) {
        return accepted.entrySet().stream()
                .filter(entry -> entry.getKey().id().equals(id))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    @Override
    public boolean hasAnnouncement(Address repo) {
        return repo.isRepo() && isStored(repo);
    }

    @Override
    public boolean isMaintainer(String identifier, PublicKey author, Predicate<EventFields> vouching) {
        return accepted.entrySet().stream()
                .filter(entry -> entry.getValue() == Reason.ANNOUNCEMENT)
                .map(Map.Entry::getKey)
                .filter(event -> event.firstValue("d").orElse("").equals(identifier))
                .filter(event -> !event.pubkey().equals(author))
                .filter(vouching)
                .flatMap(event -> event.tags("maintainers"))
                .anyMatch(tag -> tag.values().contains(author.hex()));
    }

    @Override
    public boolean isMentioned(EventId id, Optional<Address> address) {
        return accepted.entrySet().stream()
                .filter(entry -> entry.getValue() == Reason.ANNOUNCEMENT || entry.getValue() == Reason.ROOT)
                .map(entry -> References.of(entry.getKey()))
                .anyMatch(references -> references.ids().contains(id)
                        || address.filter(references.addresses()::contains).isPresent());
    }

    @Override
    public boolean wasHere(EventId id) {
        return gone.contains(id) || reasonOf(id).isPresent();
    }

    @Override
    public boolean wasHere(Address address) {
        return gone.contains(address) || isStored(address);
    }

    private boolean isStored(Address address) {
        return accepted.keySet().stream().anyMatch(event -> Address.of(event).equals(Optional.of(address)));
    }
}
