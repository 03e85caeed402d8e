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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Events of the own relay, read as what they mean for the sync. */
final class SelfEvents {

    /**
     * 30618 is not among them: a repository's state asks for nothing. Deletions are, because they take repositories off,
     * and so are requests to vanish (NIP-62).
     */
    static final Integer[] KINDS = {
        Kind.REPO_ANNOUNCEMENT,
        Kind.PATCH,
        Kind.PULL_REQUEST,
        Kind.PULL_REQUEST_UPDATE,
        Kind.ISSUE,
        Kind.DELETION,
        Kind.VANISH
    };

    private static final Set<String> REFERENCES = Set.of("e", "E", "q", "a", "A");

    /** Whoever writes an event chooses how much it names, so there is an end to it. */
    private static final int MOST_REPOS = 20;

    private static final int MOST_RELAYS = 100;
    private static final int MOST_REFERENCES = 100;
    /** Relays hang up on filters with longer values. */
    private static final int MOST_IDENTIFIER = 512;

    /** What the own store knows. May block. */
    interface Stored {

        /** It is there now. */
        boolean has(EventId id);

        /** It was there, and has been deleted or superseded or has expired. */
        boolean had(EventId id);
    }

    private final Predicate<String> isOwnRelay;
    private final Stored stored;

    SelfEvents(Predicate<String> isOwnRelay, Stored stored) {
        this.isOwnRelay = isOwnRelay;
        this.stored = stored;
    }

    /** Whether a repository of this name can be asked for. */
    static boolean isAskable(String identifier) {
        return identifier.length() <= MOST_IDENTIFIER;
    }

    Announced announced(Event event, RepoAddress repo) {
        Set<RelayUrl> relays = new LinkedHashSet<>();
        event.tags("relays")
                .flatMap(tag -> tag.values().stream().skip(1))
                .limit(MOST_RELAYS)
                .filter(url -> !isOwnRelay.test(url))
                .forEach(url -> RelayUrl.parse(url).ifPresent(relays::add));
        return new Announced(
                repo,
                event.id(),
                event.createdAt(),
                List.copyOf(relays),
                references(event, maintainers(event, repo)),
                event.expiration()
                        .filter(second -> second <= Instant.MAX.getEpochSecond())
                        .map(Instant::ofEpochSecond));
    }

    Rooted rooted(Event event) {
        List<RepoAddress> repos = event.tags("a")
                .flatMap(tag -> RepoAddress.parse(tag.value()).stream())
                .filter(repo -> isAskable(repo.identifier()))
                .distinct()
                .limit(MOST_REPOS)
                .toList();
        return new Rooted(event.id(), repos, references(event, Set.of()));
    }

    /** Adds what a deletion took; where it was not the author's, or names what never was here, that is nothing. */
    void removed(Event deletion, Set<Removed> removed) {
        for (Tag tag : deletion.tags()) {
            if (tag.hasValue() && tag.name().equals("e")) {
                EventId.parse(tag.value())
                        .map(Removed.Event::new)
                        .filter(event -> !removed.contains(event) && stored.had(event.id()))
                        .ifPresent(removed::add);
            } else if (tag.hasValue() && tag.name().equals("a")) {
                RepoAddress.parse(tag.value())
                        .filter(repo -> repo.pubkey().equals(deletion.pubkey()))
                        .ifPresent(repo -> removed.add(new Removed.Repo(repo, deletion.createdAt())));
            }
        }
    }

    /**
     * Co-maintainers may announce the repository, and its state, under the same identifier. The author's own state may
     * have been seen, and refused, before this announcement was here.
     */
    private static Set<Reference> maintainers(Event event, RepoAddress repo) {
        Set<Reference> found = new LinkedHashSet<>();
        found.add(new Reference.ByAddress(new Address(Kind.REPO_STATE, repo.pubkey(), repo.identifier())));
        event.tags("maintainers")
                .flatMap(tag -> tag.values().stream().skip(1))
                .flatMap(hex -> PublicKey.parse(hex).stream())
                .filter(key -> !key.equals(repo.pubkey()))
                .limit(MOST_REPOS)
                .forEach(key -> {
                    found.add(new Reference.ByAddress(new Address(Kind.REPO_ANNOUNCEMENT, key, repo.identifier())));
                    found.add(new Reference.ByAddress(new Address(Kind.REPO_STATE, key, repo.identifier())));
                });
        return found;
    }

    private List<Reference> references(Event event, Set<Reference> more) {
        Set<Reference> found = new LinkedHashSet<>(more);
        for (Tag tag : event.tags()) {
            if (found.size() < MOST_REFERENCES && tag.hasValue() && REFERENCES.contains(tag.name())) {
                EventId.parse(tag.value())
                        .filter(id -> !stored.has(id))
                        .ifPresent(id -> found.add(new Reference.ById(id)));
                Address.parse(tag.value())
                        .filter(address -> !address.isRepo() && isAskable(address.identifier()))
                        .ifPresent(address -> found.add(new Reference.ByAddress(address)));
            }
        }
        return List.copyOf(found);
    }
}
