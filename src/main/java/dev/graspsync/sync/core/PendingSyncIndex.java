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

    /** A query of a batch, with the REQ it has open. */
    static final class Asked {

        private final HistoryQuery query;
        private final PendingBatch batch;
        private Instant sentAt = Instant.MIN;
        private Instant heardAt = Instant.MIN;

        Asked(HistoryQuery query, PendingBatch batch) {
            this.query = query;
            this.batch = batch;
        }

        HistoryQuery query() {
            return query;
        }

        PendingBatch batch() {
            return batch;
        }

        void sent(Instant at) {
            sentAt = at;
            heardAt = at;
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

    void register(PendingBatch batch, Iterable<HistoryQuery> queries) {
        int count = 0;
        for (HistoryQuery query : queries) {
            waiting.add(new Asked(query, batch));
            count++;
        }
        batch.begin(count);
        batches.add(batch);
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

    /** Asks again, before anything else does. */
    void askAgain(Asked asked) {
        waiting.addFirst(asked);
    }

    void clear() {
        batches.clear();
        waiting.clear();
        open.clear();
    }
}
