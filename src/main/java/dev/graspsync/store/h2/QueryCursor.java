package dev.graspsync.store.h2;

import dev.graspsync.nostr.Filter;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.StoredEvent;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The matches of several filters in one order, each event once. */
final class QueryCursor implements EventCursor {

    private final IndexView view;
    private final Lookup lookup;
    private final List<FilterCursor> filters;
    private final PriorityQueue<FilterCursor> heap;
    private long lastEmitted = -1;
    private boolean open = true;

    QueryCursor(IndexView view, Lookup lookup, List<Filter> filters, Function<Filter, FilterCursor> open) {
        this.view = view;
        this.lookup = lookup;
        this.filters = filters.stream().map(open).toList();
        this.heap = new PriorityQueue<>(
                Math.max(1, filters.size()),
                Comparator.comparing(cursor -> Objects.requireNonNull(cursor.current()), FilterCursor.NEWEST_FIRST));
        this.filters.stream().filter(cursor -> cursor.current() != null).forEach(heap::add);
    }

    @Override
    public @Nullable StoredEvent next() {
        FilterCursor cursor;
        while ((cursor = heap.poll()) != null) {
            FilterCursor.Match match = Objects.requireNonNull(cursor.current());
            cursor.advance();
            if (cursor.current() != null) {
                heap.add(cursor);
            }
            if (match.seq() != lastEmitted) {
                lastEmitted = match.seq();
                EventRecord event = match.record() != null ? match.record() : readAgain(match);
                if (event != null) {
                    return event;
                }
            }
        }
        return null;
    }

    /** Null where it went in between. */
    private @Nullable EventRecord readAgain(FilterCursor.Match match) {
        EventRecord event = lookup.record(match.seq());
        return event != null && event.isLive() ? event : null;
    }

    @Override
    public boolean hasMore() {
        return filters.stream().anyMatch(FilterCursor::hasMore);
    }

    @Override
    public long lastSeq() {
        return view.lastSeq();
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            view.release();
        }
    }
}
