package dev.graspsync.store.h2;

import dev.graspsync.nostr.EventId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.h2.mvstore.MVMap;
import org.jspecify.annotations.Nullable;

/** Finds records by term in one view of the index. */
final class Lookup {

    private final SortedIndex index;
    private final IndexView view;
    private final MVMap<Long, byte[]> events;

    Lookup(SortedIndex index, IndexView view, MVMap<Long, byte[]> events) {
        this.index = index;
        this.view = view;
        this.events = events;
    }

    @Nullable
    EventRecord record(long seq) {
        byte[] packed = events.get(seq);
        return packed == null ? null : EventRecord.of(seq, packed);
    }

    @Nullable
    EventRecord byId(EventId id) {
        List<Run> runs = view.runs();
        for (int i = runs.size() - 1; i >= 0; i--) {
            Run run = runs.get(i);
            if (!run.mayHave(Terms.ID, id.a())) {
                continue;
            }
            RunCursor cursor = run.from(Terms.ID, id.a(), id.b(), index::block);
            while (!cursor.isAtEnd()
                    && cursor.term() == Terms.ID
                    && cursor.order() == id.a()
                    && cursor.prefix() == id.b()) {
                EventRecord found = record(cursor.seq());
                if (found != null && found.id().equals(id)) {
                    return found;
                }
                cursor.advance();
            }
        }
        return null;
    }

    boolean isPresent(long term) {
        for (Run run : view.runs()) {
            if (run.mayHave(term, 0)) {
                RunCursor cursor = run.from(term, 0, 0, index::block);
                if (!cursor.isAtEnd() && cursor.term() == term) {
                    return true;
                }
            }
        }
        return false;
    }

    /** In the order of commits. */
    List<Long> seqs(long term) {
        List<Long> found = List.of();
        for (Run run : view.runs()) {
            if (run.mayHave(term, 0)) {
                RunCursor cursor = run.from(term, 0, 0, index::block);
                while (!cursor.isAtEnd() && cursor.term() == term) {
                    found = found.isEmpty() ? new ArrayList<>() : found;
                    found.add(cursor.seq());
                    cursor.advance();
                }
            }
        }
        if (found.size() > 1) {
            Collections.sort(found); // within a run they lie by created_at
        }
        return found;
    }

    /** The live events that expire up to a second, at most {@code most}. */
    List<EventRecord> expiring(long upToSecond, int most) {
        List<EventRecord> found = new ArrayList<>();
        for (Run run : view.runs()) {
            if (run.mayHave(Terms.EXPIRES, 0)) {
                RunCursor cursor = run.from(Terms.EXPIRES, 0, 0, index::block);
                while (!cursor.isAtEnd()
                        && cursor.term() == Terms.EXPIRES
                        && cursor.order() <= upToSecond
                        && found.size() < most) {
                    EventRecord event = record(cursor.seq());
                    if (event != null && event.isLive() && event.isExpired(upToSecond)) {
                        found.add(event);
                    }
                    cursor.advance();
                }
            }
        }
        return found;
    }
}
