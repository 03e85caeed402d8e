package dev.graspsync.sync;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.nostr.Tag;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.sync.core.SyncInput.Announced;
import dev.graspsync.sync.core.SyncInput.Removed;
import dev.graspsync.sync.core.SyncInput.Rooted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the own relay showed within one window: a batch for the engine (rule 3), or several where much was deleted. */
final class SelfWindow {

    /** A batch that fills several filters is handed over at once: to wait would save no request. */
    private static final int MOST_EVENTS = 500;
    /** Each may have to be looked up in the store. */
    private static final int MOST_TAGS = 5_000;

    private static final long MOST_BYTES = 4_000_000;
    private static final int BYTES_OF_EVENT = 400;
    private static final int BYTES_OF_TAG = 60;
    /** Of one input to the engine: others wait for as long as it takes. */
    static final int MOST_REMOVALS = 1_000;

    private final List<Event> events = new ArrayList<>();
    private final Set<Removed> removals = new LinkedHashSet<>();
    private int tags;
    private long bytes;

    /** Keeps all but the content: nobody asks for it, and it may be long. */
    void add(Event event) {
        events.add(
                new Event(event.id(), event.pubkey(), event.createdAt(), event.kind(), event.tags(), "", event.sig()));
        bytes += BYTES_OF_EVENT;
        for (Tag tag : event.tags()) {
            tags++;
            bytes += BYTES_OF_TAG;
            for (String value : tag.values()) {
                bytes += BYTES_OF_TAG + value.length();
            }
        }
    }

    void remove(Removed removed) {
        if (removals.add(removed)) {
            tags++;
        }
    }

    boolean isEmpty() {
        return events.isEmpty() && removals.isEmpty();
    }

    /** Whether it ends before its time. */
    boolean isFull() {
        return events.size() >= MOST_EVENTS || tags >= MOST_TAGS || bytes >= MOST_BYTES;
    }

    /** Looks events up in the store, so it may block. */
    List<SyncInput> batches(SelfEvents meaning, Instant now) {
        List<Announced> announcements = new ArrayList<>();
        List<Rooted> roots = new ArrayList<>();
        Set<Removed> removed = new LinkedHashSet<>(removals);
        for (Event event : events) {
            switch (event.kind()) {
                case Kind.REPO_ANNOUNCEMENT ->
                    event.firstValue("d")
                            .filter(SelfEvents::isAskable)
                            .map(identifier -> new RepoAddress(event.pubkey(), identifier))
                            .ifPresent(repo -> announcements.add(meaning.announced(event, repo)));
                case Kind.DELETION -> meaning.removed(event, removed);
                default -> {
                    if (Kind.isRoot(event.kind())) {
                        roots.add(meaning.rooted(event));
                    }
                }
            }
        }
        List<SyncInput> batches = new ArrayList<>(1);
        List<Removed> all = List.copyOf(removed);
        int first = Math.min(MOST_REMOVALS, all.size());
        if (!announcements.isEmpty() || !roots.isEmpty() || first > 0) {
            batches.add(new SyncInput.SelfBatch(now, announcements, roots, all.subList(0, first)));
        }
        for (int from = first; from < all.size(); from += MOST_REMOVALS) {
            int to = Math.min(from + MOST_REMOVALS, all.size());
            batches.add(new SyncInput.SelfBatch(now, List.of(), List.of(), all.subList(from, to)));
        }
        return batches;
    }
}
