package dev.graspsync.sync;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.nostr.Tag;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whether an event that came because a relay is asked by kind alone concerns anything here (rule 15): it names a
 * repository of ours or an event that is here. That is more than precise filters would ask for: replies to replies and
 * deletions of anything are among it. Announcements and states are left to the policy, for maintainers may be strangers.
 *
 * @param hosted whether a repository is wanted
 * @param stored whether an event is here; may block
 */
record CoarseMatch(Predicate<RepoAddress> hosted, Predicate<EventId> stored) {

    private static final Set<String> NAMES = Set.of("a", "A", "e", "E", "q");

    boolean concernsUs(EventFields event) {
        return event.kind() == Kind.REPO_ANNOUNCEMENT
                || event.kind() == Kind.REPO_STATE
                || event.tags().stream().anyMatch(this::namesOurs);
    }

    private boolean namesOurs(Tag tag) {
        return tag.hasValue()
                && NAMES.contains(tag.name())
                && (EventId.parse(tag.value()).filter(stored).isPresent()
                        || Address.parse(tag.value())
                                .flatMap(CoarseMatch::repo)
                                .filter(hosted)
                                .isPresent());
    }

    /** A state stands for its repository. */
    private static Optional<RepoAddress> repo(Address address) {
        return address.isRepo() || address.kind() == Kind.REPO_STATE
                ? Optional.of(new RepoAddress(address.pubkey(), address.identifier()))
                : Optional.empty();
    }
}
