package dev.graspsync.store.h2;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The entries of several runs in one order. Of events that are gone only the id stays: it keeps them from coming back. */
final class MergedEntries implements Iterator<Entry> {

    private final PriorityQueue<RunCursor> cursors;
    private final LongPredicate isGone;
    private @Nullable Entry next;

    MergedEntries(List<RunCursor> runs, LongPredicate isGone) {
        this.cursors = new PriorityQueue<>(
                Math.max(1, runs.size()), Comparator.comparing(cursor -> Objects.requireNonNull(cursor.current())));
        this.isGone = isGone;
        runs.stream().filter(cursor -> cursor.current() != null).forEach(cursors::add);
        next = advance();
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public Entry next() {
        Entry entry = next;
        if (entry == null) {
            throw new NoSuchElementException();
        }
        next = advance();
        return entry;
    }

    private @Nullable Entry advance() {
        RunCursor cursor;
        while ((cursor = cursors.poll()) != null) {
            Entry entry = Objects.requireNonNull(cursor.current());
            cursor.advance();
            if (cursor.current() != null) {
                cursors.add(cursor);
            }
            if (entry.term() == Terms.ID || !isGone.test(entry.seq())) {
                return entry;
            }
        }
        return null;
    }
}
