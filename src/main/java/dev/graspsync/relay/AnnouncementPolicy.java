package dev.graspsync.relay;

import static dev.graspsync.relay.AcceptancePolicy.values;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.relay.Verdict.Accept;
import dev.graspsync.relay.Verdict.Delisted;
import dev.graspsync.relay.Verdict.Reason;
import dev.graspsync.relay.Verdict.Refuse;
import dev.graspsync.relay.Verdict.Wait;

/** Which repository announcements are accepted: those the mode asks for, and those of known co-maintainers. */
record AnnouncementPolicy(AcceptanceMode mode, ServiceDomain service) {

    Verdict decide(EventFields event, Known known) {
        Address address = Address.of(event).orElseThrow();
        if (address.identifier().isEmpty()) {
            return new Refuse("invalid: a repository announcement needs a d tag");
        }
        if (isListed(event) || isVouchedFor(address, known)) {
            return new Accept(Reason.ANNOUNCEMENT);
        }
        String message = "blocked: the announcement must list " + wanted();
        return known.hasAnnouncement(address)
                ? new Delisted(message, address)
                : new Wait(
                        message + ", or its author be a maintainer of a repository here",
                        WaitingKeys.lackedByAnnouncement(address));
    }

    /**
     * Whether an announcement that is here by itself lists the author as a maintainer. One that is here only because
     * another vouched for it vouches for nobody: two who list each other could never leave.
     */
    boolean isVouchedFor(Address address, Known known) {
        return known.isMaintainer(address.identifier(), address.pubkey(), this::isListed);
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
}
