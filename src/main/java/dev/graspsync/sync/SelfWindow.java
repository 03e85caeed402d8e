package dev.graspsync.sync;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.sync.core.SyncInput.Announced;
import dev.graspsync.sync.core.SyncInput.Removed;
import dev.graspsync.sync.core.SyncInput.Rooted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What the own relay showed within one window: one batch for the engine (rule 3). */
final class SelfWindow {

    private final List<Event> events = new ArrayList<>();
    private final List<Removed> removals = new ArrayList<>();

    /** Keeps all but the content: nobody asks for it, and it may be long. */
    void add(Event event) {
        events.add(
                new Event(event.id(), event.pubkey(), event.createdAt(), event.kind(), event.tags(), "", event.sig()));
    }

    void remove(Removed removed) {
        removals.add(removed);
    }

    int size() {
        return events.size() + removals.size();
    }

    /** Looks events up in the store, so it may block. */
    SyncInput.SelfBatch batch(SelfEvents meaning, Instant now) {
        List<Announced> announcements = new ArrayList<>();
        List<Rooted> roots = new ArrayList<>();
        List<Removed> removed = new ArrayList<>(removals);
        for (Event event : events) {
            switch (event.kind()) {
                case Kind.REPO_ANNOUNCEMENT ->
                    event.firstValue("d")
                            .filter(SelfEvents::isAskable)
                            .map(identifier -> new RepoAddress(event.pubkey(), identifier))
                            .ifPresent(repo -> announcements.add(meaning.announced(event, repo)));
                case Kind.DELETION -> removed.addAll(meaning.removed(event));
                default -> {
                    if (Kind.isRoot(event.kind())) {
                        roots.add(meaning.rooted(event));
                    }
                }
            }
        }
        return new SyncInput.SelfBatch(now, announcements, roots, removed);
    }
}
