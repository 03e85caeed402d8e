package dev.graspsync.relay;

import static dev.graspsync.relay.AcceptancePolicy.values;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The keys under which refused events wait: an event id in hex, an address, or {@code d:} with a key and an identifier.
 * The last stands for any accepted announcement with that identifier that lists the key among its maintainers: who
 * updates an announcement has nobody judged again but those it lists.
 */
final class WaitingKeys {

    private WaitingKeys() {}

    static String of(EventId id) {
        return id.hex();
    }

    static String of(Address address) {
        return address.toString();
    }

    static String ofMaintainer(PublicKey author, String identifier) {
        return "d:" + author.hex() + ":" + identifier;
    }

    /** What an accepted event brings for those that wait; the ingest hands this to {@link WaitingRoom#takeFor}. */
    static Set<String> broughtBy(EventFields event, Verdict.Reason reason) {
        Set<String> keys = ownKeys(event);
        if (reason == Verdict.Reason.ANNOUNCEMENT) {
            event.firstValue("d")
                    .ifPresent(identifier -> values(event, "maintainers")
                            .flatMap(value -> PublicKey.parse(value).stream())
                            .filter(maintainer -> !maintainer.equals(event.pubkey()))
                            .forEach(maintainer -> keys.add(ofMaintainer(maintainer, identifier))));
        }
        if (reason == Verdict.Reason.ANNOUNCEMENT || reason == Verdict.Reason.ROOT) {
            // What they mention waits under its own id and address.
            References references = References.of(event);
            references.ids().forEach(id -> keys.add(of(id)));
            references.addresses().forEach(address -> keys.add(of(address)));
        }
        return keys;
    }

    /** What could make an event acceptable that is not so now. */
    static Set<String> lackedBy(EventFields event) {
        Optional<Address> address = Address.of(event);
        return switch (event.kind()) {
            case Kind.REPO_ANNOUNCEMENT -> lackedByAnnouncement(address.orElseThrow());
            case Kind.REPO_STATE -> lackedByState(address.orElseThrow());
            default -> lackedBy(event, References.of(event));
        };
    }

    /** Any accepted announcement with the same identifier may come to list its author. */
    static Set<String> lackedByAnnouncement(Address announcement) {
        return Set.of(ofMaintainer(announcement.pubkey(), announcement.identifier()));
    }

    /** Something it names is accepted, or something accepted names it. */
    static Set<String> lackedBy(EventFields event, References references) {
        Set<String> keys = ownKeys(event);
        references.ids().forEach(id -> keys.add(of(id)));
        for (Address address : references.addresses()) {
            keys.add(of(address));
            if (address.kind() == Kind.REPO_STATE) {
                keys.addAll(lackedByState(address));
            }
        }
        return keys;
    }

    /** A state is worth what the announcement is: its author's, or one that lists its author. */
    static Set<String> lackedByState(Address state) {
        return Set.of(of(announcementOf(state)), ofMaintainer(state.pubkey(), state.identifier()));
    }

    static Address announcementOf(Address state) {
        return new Address(Kind.REPO_ANNOUNCEMENT, state.pubkey(), state.identifier());
    }

    private static Set<String> ownKeys(EventFields event) {
        Set<String> keys = new LinkedHashSet<>();
        keys.add(of(event.id()));
        Address.of(event).ifPresent(address -> keys.add(of(address)));
        return keys;
    }
}
