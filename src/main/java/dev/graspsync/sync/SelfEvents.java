package dev.graspsync.sync;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.nostr.Tag;
import dev.graspsync.sync.core.Reference;
import dev.graspsync.sync.core.SyncInput.Announced;
import dev.graspsync.sync.core.SyncInput.Removed;
import dev.graspsync.sync.core.SyncInput.Rooted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Events of the own relay, read as what they mean for the sync. */
final class SelfEvents {

    /** 30618 is not among them: a repository's state asks for nothing. Deletions are, because they take repositories off. */
    static final Integer[] KINDS = {
        Kind.REPO_ANNOUNCEMENT, Kind.PATCH, Kind.PULL_REQUEST, Kind.PULL_REQUEST_UPDATE, Kind.ISSUE, Kind.DELETION
    };

    private static final Set<String> REFERENCES = Set.of("e", "E", "q", "a", "A");

    private final Predicate<String> isOwnRelay;
    private final Predicate<EventId> isStored;

    /** @param isStored whether the own store holds this event now */
    SelfEvents(Predicate<String> isOwnRelay, Predicate<EventId> isStored) {
        this.isOwnRelay = isOwnRelay;
        this.isStored = isStored;
    }

    Announced announced(Event event, RepoAddress repo) {
        Set<RelayUrl> relays = new LinkedHashSet<>();
        event.tags("relays")
                .flatMap(tag -> tag.values().stream().skip(1))
                .filter(url -> !isOwnRelay.test(url))
                .forEach(url -> RelayUrl.parse(url).ifPresent(relays::add));
        return new Announced(
                repo,
                event.id(),
                event.createdAt(),
                List.copyOf(relays),
                references(event, maintainers(event, repo)),
                event.expiration().map(Instant::ofEpochSecond));
    }

    Rooted rooted(Event event) {
        List<RepoAddress> repos = event.tags("a")
                .flatMap(tag -> RepoAddress.parse(tag.value()).stream())
                .distinct()
                .toList();
        return new Rooted(event.id(), repos, references(event, Set.of()));
    }

    /** What a deletion took; where it was not the author's, the event is still stored. */
    List<Removed> removed(Event deletion) {
        List<Removed> removed = new ArrayList<>();
        for (Tag tag : deletion.tags()) {
            if (tag.hasValue() && tag.name().equals("e")) {
                EventId.parse(tag.value())
                        .filter(id -> !isStored.test(id))
                        .ifPresent(id -> removed.add(new Removed.Event(id)));
            } else if (tag.hasValue() && tag.name().equals("a")) {
                RepoAddress.parse(tag.value())
                        .filter(repo -> repo.pubkey().equals(deletion.pubkey()))
                        .ifPresent(repo -> removed.add(new Removed.Repo(repo, deletion.createdAt())));
            }
        }
        return removed;
    }

    /** Co-maintainers may announce the repository, and its state, under the same identifier. */
    private static Set<Reference> maintainers(Event event, RepoAddress repo) {
        Set<Reference> found = new LinkedHashSet<>();
        event.tags("maintainers")
                .flatMap(tag -> tag.values().stream().skip(1))
                .flatMap(hex -> PublicKey.parse(hex).stream())
                .filter(key -> !key.equals(repo.pubkey()))
                .forEach(key -> {
                    found.add(new Reference.ByAddress(new Address(Kind.REPO_ANNOUNCEMENT, key, repo.identifier())));
                    found.add(new Reference.ByAddress(new Address(Kind.REPO_STATE, key, repo.identifier())));
                });
        return found;
    }

    private List<Reference> references(Event event, Set<Reference> more) {
        Set<Reference> found = new LinkedHashSet<>(more);
        for (Tag tag : event.tags()) {
            if (tag.hasValue() && REFERENCES.contains(tag.name())) {
                EventId.parse(tag.value())
                        .filter(id -> !isStored.test(id))
                        .ifPresent(id -> found.add(new Reference.ById(id)));
                Address.parse(tag.value())
                        .filter(address -> !address.isRepo())
                        .ifPresent(address -> found.add(new Reference.ByAddress(address)));
            }
        }
        return List.copyOf(found);
    }
}
