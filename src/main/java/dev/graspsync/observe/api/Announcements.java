package dev.graspsync.observe.api;

import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The repositories this service hosts, by name. The list of all is read anew some seconds after the store grew. */
@ApplicationScoped
class Announcements {

    /** @param name as announced, or else the identifier */
    record Announced(RepoAddress repo, String name) {}

    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final int MOST = 100_000;
    private static final int LONGEST_NAME = 200;

    private record Known(long lastSeq, Instant at, List<Announced> sorted) {}

    private final EventStore store;
    private volatile Known known = new Known(-1, Instant.MIN, List.of());

    @Inject
    Announcements(Relay relay) {
        this.store = relay.store();
    }

    /** Sorted by name. */
    List<Announced> all() {
        Known now = known;
        if (now.lastSeq() != store.lastSeq() && now.at().plus(FRESH).isBefore(Instant.now())) {
            synchronized (this) {
                if (known == now) {
                    known = read();
                }
                return known.sorted();
            }
        }
        return now.sorted();
    }

    private Known read() {
        long lastSeq = store.lastSeq();
        List<Announced> found = new ArrayList<>();
        Instant now = Instant.now();
        try (EventCursor cursor =
                store.query(List.of(Filter.ALL.withKinds(Kind.REPO_ANNOUNCEMENT)), MOST, now.getEpochSecond())) {
            for (StoredEvent event = cursor.next(); event != null; event = cursor.next()) {
                RepoAddress repo =
                        new RepoAddress(event.pubkey(), event.firstValue("d").orElse(""));
                found.add(new Announced(repo, name(event)));
            }
        }
        found.sort(Comparator.comparing((Announced repo) -> repo.name().toLowerCase(Locale.ROOT))
                .thenComparing(repo -> repo.repo().toString()));
        return new Known(lastSeq, Instant.now(), List.copyOf(found));
    }

    /** The live announcement of a repository. */
    Optional<StoredEvent> find(RepoAddress repo) {
        return new StoredFacts(store).newest(repo.address());
    }

    static String name(StoredEvent announcement) {
        String name = announcement
                .firstValue("name")
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .or(() -> announcement.firstValue("d"))
                .orElse("");
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }
}
