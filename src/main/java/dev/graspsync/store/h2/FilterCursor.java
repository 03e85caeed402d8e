package dev.graspsync.store.h2;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The matches of one filter, newest first, up to its limit. */
final class FilterCursor {

    static final Comparator<Match> NEWEST_FIRST =
            Comparator.comparingLong(Match::createdAt).reversed().thenComparing(Match::id);

    /** Larger records are read once more when their turn comes: hundreds of cursors may each have one. */
    private static final int SMALL = 4_096;

    /** One that matches, with its record unless that would be too much to keep. */
    record Match(
            long createdAt, EventId id, long seq, @Nullable EventRecord record) {

        static Match of(EventRecord event) {
            return new Match(event.createdAt(), event.id(), event.seq(), event.size() > SMALL ? null : event);
        }

        static Match withoutRecord(EventRecord event) {
            return new Match(event.createdAt(), event.id(), event.seq(), null);
        }
    }

    private final Filter filter;
    private final Lookup lookup;
    private final long nowSeconds;
    private final long toOrder;
    private final PriorityQueue<RunCursor> cursors = new PriorityQueue<>(RunCursor::compareInTerm);
    /** What was read ahead: events found by id, or those of one (second, prefix). */
    private final Deque<Match> ready = new ArrayDeque<>();

    private int left;
    private boolean more;
    private long lastSeq = -1;
    private @Nullable Match current;

    FilterCursor(
            Filter filter, int limit, SortedIndex index, IndexView view, Terms terms, Lookup lookup, long nowSeconds) {
        this.filter = filter;
        this.lookup = lookup;
        this.nowSeconds = nowSeconds;
        this.left = limit;
        if (filter.ids().isPresent()) {
            this.toOrder = 0;
            collect(filter.ids().get());
        } else {
            FilterPlan plan = FilterPlan.of(filter, terms, view);
            this.toOrder = plan.toOrder();
            for (long term : plan.terms()) {
                open(term, plan.fromOrder(), index, view);
            }
        }
        advance();
    }

    private void collect(Set<EventId> ids) {
        List<Match> found = new ArrayList<>();
        for (EventId id : ids) {
            EventRecord event = lookup.byId(id);
            if (event != null && isWanted(event)) {
                found.add(Match.withoutRecord(event)); // there may be thousands
            }
        }
        found.sort(NEWEST_FIRST);
        ready.addAll(found);
    }

    private void open(long term, long fromOrder, SortedIndex index, IndexView view) {
        for (Run run : view.runs()) {
            if (run.mayHave(term, 0)) {
                RunCursor cursor = run.from(term, fromOrder, 0, index::block);
                keep(cursor, term);
            }
        }
    }

    private void keep(RunCursor cursor, long term) {
        if (!cursor.isAtEnd() && cursor.term() == term && Long.compareUnsigned(cursor.order(), toOrder) <= 0) {
            cursors.add(cursor);
        }
    }

    @Nullable
    Match current() {
        return current;
    }

    /** After the end: whether the limit cut something off. */
    boolean hasMore() {
        return more;
    }

    void advance() {
        Match next = nextMatch();
        if (next != null && left == 0) {
            more = true;
            next = null;
        }
        left = Math.max(0, left - 1);
        current = next;
    }

    private @Nullable Match nextMatch() {
        Match waiting = ready.poll();
        while (waiting == null && !cursors.isEmpty()) {
            readGroup();
            waiting = ready.poll();
        }
        return waiting;
    }

    /** Reads all entries of one second and id prefix, which is one event unless somebody worked hard for a second. */
    private void readGroup() {
        RunCursor first = cursors.element();
        long order = first.order();
        long prefix = first.prefix();
        List<Match> group = new ArrayList<>(1);
        while (!cursors.isEmpty()) {
            RunCursor cursor = cursors.element();
            if (cursor.order() != order || cursor.prefix() != prefix) {
                break;
            }
            cursors.poll();
            long seq = cursor.seq();
            long term = cursor.term();
            cursor.advance();
            keep(cursor, term);
            if (seq != lastSeq) {
                lastSeq = seq;
                EventRecord event = lookup.record(seq);
                if (event != null && isWanted(event)) {
                    group.add(Match.of(event));
                }
            }
        }
        if (group.size() > 1) {
            group.sort(NEWEST_FIRST);
        }
        ready.addAll(group);
    }

    private boolean isWanted(EventRecord event) {
        return event.isLive() && !event.isExpired(nowSeconds) && filter.matches(event);
    }
}
