package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.store.WriteBatch;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Announcements that are here because another one lists their author as a maintainer (GRASP-01). When that one goes, or
 * lists the author no more, they go too (rule 1 of the sync: only what is accepted counts), and may come back when they
 * are acceptable again.
 */
final class VouchedFor {

    private final WriteBatch open;
    private final AcceptancePolicy policy;
    private final Set<Address> lookedAfter = new LinkedHashSet<>();

    private VouchedFor(WriteBatch open, AcceptancePolicy policy) {
        this.open = open;
        this.policy = policy;
    }

    /** Whom the announcements vouch for that this event may change or take away; to be asked before it does. */
    static VouchedFor before(WriteBatch open, AcceptancePolicy policy, Event event) {
        VouchedFor vouched = new VouchedFor(open, policy);
        if (event.kind() == Kind.REPO_ANNOUNCEMENT) {
            Address.of(event).flatMap(open::head).ifPresent(vouched::lookAfter);
        } else if (event.kind() == Kind.DELETION) {
            for (Tag tag : event.tags()) {
                vouched.target(tag)
                        .filter(target -> target.kind() == Kind.REPO_ANNOUNCEMENT
                                && target.pubkey().equals(event.pubkey()))
                        .ifPresent(vouched::lookAfter);
            }
        }
        return vouched;
    }

    private Optional<StoredEvent> target(Tag tag) {
        return switch (tag.name()) {
            case "e" -> EventId.parse(tag.value()).flatMap(open::find);
            case "a" -> Address.parse(tag.value()).filter(Address::isRepo).flatMap(open::head);
            default -> Optional.empty();
        };
    }

    private void lookAfter(EventFields announcement) {
        String identifier = announcement.firstValue("d").orElse("");
        AcceptancePolicy.values(announcement, "maintainers")
                .flatMap(value -> PublicKey.parse(value).stream())
                .filter(maintainer -> !maintainer.equals(announcement.pubkey()))
                .forEach(maintainer -> lookedAfter.add(new Address(Kind.REPO_ANNOUNCEMENT, maintainer, identifier)));
    }

    /** Takes off those of them that nothing speaks for any more. */
    List<Delisting> takeOff() {
        List<Delisting> gone = new ArrayList<>();
        for (Address address : lookedAfter) {
            open.head(address)
                    .filter(head -> policy.decide(head, new StoredKnown(open)) instanceof Verdict.Delisted)
                    .ifPresent(head -> {
                        open.forget(head);
                        gone.add(new Delisting(
                                new RepoAddress(address.pubkey(), address.identifier()), head.createdAt()));
                    });
        }
        return gone;
    }
}
