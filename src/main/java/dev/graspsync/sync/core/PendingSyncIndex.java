package dev.graspsync.sync.core;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is in flight at one relay: batches with their queries, each open or waiting for a place. */
final class PendingSyncIndex {

    /** A batch for a relay that takes almost nothing in one filter has a few hundred. */
    private static final int MOST_WAITING = 2_000;
    /** A million events, a hundred at a time. */
    private static final int MOST_FETCHES = 10_000;

    /** A query of a batch, with the REQ it has open. */
    static final class Asked {

        private final Query query;
        private final PendingBatch batch;
        private Instant sentAt = Instant.MIN;
        private Instant heardAt = Instant.MIN;
        private boolean begun;

        Asked(Query query, PendingBatch batch) {
            this.query = query;
            this.batch = batch;
        }

        Query query() {
            return query;
        }

        PendingBatch batch() {
            return batch;
        }

        /** Whether a comparison's first message is out, after our own side of it was read. */
        boolean isBegun() {
            return begun;
        }

        void begin() {
            begun = true;
        }

        void sent(Instant at) {
            sentAt = at;
            heardAt = at;
            begun = false;
        }

        void heard(Instant at) {
            heardAt = at;
        }

        Instant sentAt() {
            return sentAt;
        }

        Instant heardAt() {
            return heardAt;
        }
    }

    private final Set<PendingBatch> batches = new LinkedHashSet<>();
    private final Deque<Asked> waiting = new ArrayDeque<>();
    private final Map<String, Asked> open = new LinkedHashMap<>();

    void register(PendingBatch batch, List<Query> queries) {
        queries.forEach(query -> waiting.add(new Asked(query, batch)));
        batch.begin(queries.size());
        batches.add(batch);
    }

    /** What came of a query of the batch, before anything else is asked. */
    void addFirst(PendingBatch batch, List<? extends Query> queries) {
        queries.reversed().forEach(query -> waiting.addFirst(new Asked(query, batch)));
        batch.begin(queries.size());
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    Set<PendingBatch> batches() {
        return batches;
    }

    void done(PendingBatch batch) {
        batches.remove(batch);
    }

    Map<String, Asked> open() {
        return open;
    }

    @Nullable
    Asked nextWaiting() {
        return waiting.poll();
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    List<Asked> removeWaiting(PendingBatch batch) {
        List<Asked> removed =
                waiting.stream().filter(asked -> asked.batch == batch).toList();
        waiting.removeAll(removed);
        return removed;
    }

    /** What is compared next and was not begun. */
    List<Asked> removeWaitingComparisons() {
        List<Asked> removed = waiting.stream()
                .filter(asked -> asked.query() instanceof Reconciliation)
                .toList();
        waiting.removeAll(removed);
        return removed;
    }

    /** What the same comparison found and was not fetched yet. */
    List<Asked> removeWaitingFetches(PendingBatch batch, Reconciliation origin) {
        List<Asked> removed = waiting.stream()
                .filter(asked ->
                        asked.batch == batch && asked.query() instanceof Fetch fetch && fetch.origin() == origin)
                .toList();
        waiting.removeAll(removed);
        return removed;
    }

    /** Asks again, before anything else does. */
    void askAgain(Asked asked) {
        waiting.addFirst(asked);
    }

    /** Every batch waits for something, and no more waits than a batch or what a comparison found may ask. */
    void check() {
        long fetches =
                waiting.stream().filter(asked -> asked.query() instanceof Fetch).count();
        if (batches.size() > open.size() + waiting.size()
                || fetches > MOST_FETCHES
                || waiting.size() - fetches > MOST_WAITING) {
            throw new IllegalStateException(
                    batches.size() + " batches, " + open.size() + " queries open, " + waiting.size() + " waiting");
        }
    }

    void clear() {
        batches.clear();
        waiting.clear();
        open.clear();
    }
}
