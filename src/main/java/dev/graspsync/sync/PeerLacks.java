package dev.graspsync.sync;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Which repositories name a relay that lacks events of theirs, as comparisons (NIP-77) found. Whoever reads them there
 * alone does not see those events. Told once the relay is synced, each repository once until the next fresh sync.
 */
final class PeerLacks {

    private static final Logger LOG = Logger.getLogger(PeerLacks.class);
    private static final int MOST_LOOKED_AT = 1_000;
    private static final int NAMED = 3;
    private static final int MOST_REPOS_OF_AN_EVENT = 20;
    /** What is newer may be on its way there. */
    private static final Duration ON_ITS_WAY = Duration.ofMinutes(10);

    /** Of one relay, since its last fresh sync began. */
    private static final class Found {

        private final Map<RepoAddress, Set<EventId>> untold = new LinkedHashMap<>();
        private final Set<RepoAddress> told = new HashSet<>();
        private int lookedAt;
    }

    private final EventStore store;
    private final InstantSource clock;
    private final Map<RelayUrl, Found> relays = new ConcurrentHashMap<>();

    PeerLacks(EventStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** The relay lacks these, of which some may be here no more. May block. */
    void lacked(RelayUrl relay, List<EventId> ids) {
        if (ids.isEmpty()) {
            return;
        }
        Found found = relays.computeIfAbsent(relay, none -> new Found());
        synchronized (found) {
            long newest = clock.instant().minus(ON_ITS_WAY).getEpochSecond();
            Map<RepoAddress, Boolean> naming = new HashMap<>();
            for (EventId id : ids) {
                if (found.lookedAt++ >= MOST_LOOKED_AT) {
                    return;
                }
                store.find(id)
                        .filter(event -> event.createdAt() < newest)
                        .ifPresent(event -> repositories(event)
                                .filter(repo -> !found.told.contains(repo))
                                .filter(repo -> naming.computeIfAbsent(repo, other -> names(other, relay)))
                                .forEach(repo -> found.untold
                                        .computeIfAbsent(repo, none -> new HashSet<>())
                                        .add(id)));
            }
        }
    }

    /** A reply may name nothing but what it replies to. */
    private Stream<RepoAddress> repositories(StoredEvent event) {
        if (event.kind() == Kind.REPO_ANNOUNCEMENT || event.kind() == Kind.REPO_STATE) {
            return event.firstValue("d").map(name -> new RepoAddress(event.pubkey(), name)).stream();
        }
        Set<RepoAddress> named = named(event);
        return named.isEmpty()
                ? event.tags().stream()
                        .filter(tag -> tag.hasValue()
                                && (tag.name().equals("E") || tag.name().equals("e")))
                        .limit(MOST_REPOS_OF_AN_EVENT)
                        .flatMap(tag -> EventId.parse(tag.value()).flatMap(store::find).stream())
                        .flatMap(root -> named(root).stream())
                        .distinct()
                        .limit(MOST_REPOS_OF_AN_EVENT)
                : named.stream();
    }

    private static Set<RepoAddress> named(EventFields event) {
        return event.tags().stream()
                .filter(tag ->
                        tag.hasValue() && (tag.name().equals("a") || tag.name().equals("A")))
                .flatMap(tag -> RepoAddress.parse(tag.value()).stream())
                .limit(MOST_REPOS_OF_AN_EVENT)
                .collect(Collectors.toSet());
    }

    private boolean names(RepoAddress repo, RelayUrl relay) {
        Filter announcement = Filter.ALL
                .withKinds(Kind.REPO_ANNOUNCEMENT)
                .withAuthors(Set.of(repo.pubkey()))
                .withTag("d", Set.of(repo.identifier()));
        try (EventCursor cursor =
                store.query(List.of(announcement), 1, clock.instant().getEpochSecond())) {
            return Optional.ofNullable(cursor.next()).stream()
                    .flatMap(event -> event.tags().stream())
                    .filter(tag -> tag.name().equals("relays"))
                    .flatMap(tag -> tag.values().stream().skip(1))
                    .anyMatch(url -> RelayUrl.parse(url).filter(relay::equals).isPresent());
        }
    }

    /** The relay has been compared with for now. */
    void tell(RelayUrl relay) {
        Found found = relays.get(relay);
        if (found == null) {
            return;
        }
        synchronized (found) {
            found.untold.entrySet().stream()
                    .sorted(Comparator.comparing((Map.Entry<RepoAddress, Set<EventId>> repo) ->
                                    repo.getValue().size())
                            .reversed())
                    .limit(NAMED)
                    .forEach(repo -> LOG.warnf(
                            "Relay %s lacks %s%d events of %s, whose announcement names it",
                            relay,
                            found.lookedAt > MOST_LOOKED_AT ? "at least " : "",
                            repo.getValue().size(),
                            repo.getKey()));
            if (found.untold.size() > NAMED) {
                LOG.warnf(
                        "Relay %s lacks events of %d more repositories that name it",
                        relay, found.untold.size() - NAMED);
            }
            found.told.addAll(found.untold.keySet());
            found.untold.clear();
        }
    }

    /** Everything is compared once more; what no synced relay made an end of is told now. */
    void beginAnew(RelayUrl relay) {
        tell(relay);
        relays.remove(relay);
    }

    void forget(RelayUrl relay) {
        relays.remove(relay);
    }
}
