package dev.graspsync.store.h2;

import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The entries of several runs in one order. Of events that are gone only the id stays: it keeps them from coming back. */
final class MergedEntries implements Entries {

    private final PriorityQueue<RunCursor> cursors;
    private final LongPredicate isGone;
    private @Nullable RunCursor current;

    MergedEntries(List<RunCursor> runs, LongPredicate isGone) {
        this.cursors = new PriorityQueue<>(Math.max(1, runs.size()), RunCursor::compare);
        this.isGone = isGone;
        runs.stream().filter(cursor -> !cursor.isAtEnd()).forEach(cursors::add);
    }

    @Override
    public boolean next() {
        do {
            step();
        } while (current != null && current.term() != Terms.ID && isGone.test(current.seq()));
        return current != null;
    }

    private void step() {
        RunCursor before = current;
        if (before != null) {
            before.advance();
            RunCursor head = cursors.peek();
            if (!before.isAtEnd() && (head == null || RunCursor.compare(before, head) <= 0)) {
                return; // the same run goes on, as it mostly does
            }
            if (!before.isAtEnd()) {
                cursors.add(before);
            }
        }
        current = cursors.poll();
    }

    private RunCursor here() {
        return Objects.requireNonNull(current);
    }

    @Override
    public long term() {
        return here().term();
    }

    @Override
    public long order() {
        return here().order();
    }

    @Override
    public long prefix() {
        return here().prefix();
    }

    @Override
    public long seq() {
        return here().seq();
    }
}
