package dev.graspsync.relay;

import static dev.graspsync.relay.AcceptancePolicy.values;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.relay.Verdict.Accept;
import dev.graspsync.relay.Verdict.Delisted;
import dev.graspsync.relay.Verdict.Reason;
import dev.graspsync.relay.Verdict.Refuse;
import dev.graspsync.relay.Verdict.Wait;
import java.util.LinkedHashSet;
import java.util.Set;

/** Which repository announcements are accepted: those the mode asks for, and those of known co-maintainers. */
record AnnouncementPolicy(AcceptanceMode mode, ServiceDomain service) {

    Verdict decide(EventFields event, Known known) {
        Address address = Address.of(event).orElseThrow();
        if (address.identifier().isEmpty()) {
            return new Refuse("invalid: a repository announcement needs a d tag");
        }
        if (isListed(event) || known.isMaintainer(address.identifier(), event.pubkey())) {
            return new Accept(Reason.ANNOUNCEMENT);
        }
        String message = "blocked: the announcement must list " + wanted();
        return known.hasAnnouncement(address)
                ? new Delisted(message, address)
                : new Wait(message + ", or its author be a maintainer of a repository here", lacks(event, address));
    }

    private boolean isListed(EventFields event) {
        return switch (mode) {
            case HOSTED -> inRelays(event) && inClone(event);
            case RELAYS -> inRelays(event);
            case ARCHIVE -> true;
        };
    }

    private boolean inRelays(EventFields event) {
        return values(event, "relays").anyMatch(service::isRelay);
    }

    private boolean inClone(EventFields event) {
        return values(event, "clone").anyMatch(service::isClone);
    }

    private String wanted() {
        return service + (mode == AcceptanceMode.HOSTED ? " in both its relays and clone tags" : " in its relays tag");
    }

    /** Those it lists may list it in return; and so may anyone else with the same identifier. */
    private static Set<String> lacks(EventFields event, Address address) {
        Set<String> keys = new LinkedHashSet<>();
        keys.add(WaitingKeys.ofIdentifier(address.identifier()));
        values(event, "maintainers")
                .flatMap(value -> PublicKey.parse(value).stream())
                .filter(maintainer -> !maintainer.equals(event.pubkey()))
                .map(maintainer -> new Address(Kind.REPO_ANNOUNCEMENT, maintainer, address.identifier()))
                .forEach(other -> keys.add(WaitingKeys.of(other)));
        return keys;
    }
}
