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

/** Collects what the own relay shows until its window ends: one batch for the engine (rule 3). */
final class SelfWindow {

    private final SelfEvents events;
    private List<Announced> announcements = new ArrayList<>();
    private List<Rooted> roots = new ArrayList<>();
    private List<Removed> removals = new ArrayList<>();

    SelfWindow(SelfEvents events) {
        this.events = events;
    }

    void add(Event event) {
        switch (event.kind()) {
            case Kind.REPO_ANNOUNCEMENT ->
                event.firstValue("d")
                        .map(identifier -> new RepoAddress(event.pubkey(), identifier))
                        .ifPresent(repo -> announcements.add(events.announced(event, repo)));
            case Kind.DELETION -> removals.addAll(events.removed(event));
            default -> {
                if (Kind.isRoot(event.kind())) {
                    roots.add(events.rooted(event));
                }
            }
        }
    }

    void remove(Removed removed) {
        removals.add(removed);
    }

    int size() {
        return announcements.size() + roots.size() + removals.size();
    }

    SyncInput.SelfBatch take(Instant now) {
        SyncInput.SelfBatch batch = new SyncInput.SelfBatch(now, announcements, roots, removals);
        announcements = new ArrayList<>();
        roots = new ArrayList<>();
        removals = new ArrayList<>();
        return batch;
    }
}
