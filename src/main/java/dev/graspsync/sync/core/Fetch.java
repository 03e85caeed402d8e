package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Ids that a relay claimed to have, asked for by id (rule 19). A relay may hand out fewer at once than were asked for, so
 * as long as some come the rest is asked for again; when nothing comes, once more, and then they are taken as gone.
 */
final class Fetch implements Query {

    private final Reconciliation origin;
    private final Set<EventId> missing;
    private final int size;
    private boolean retried;

    /** @param origin the comparison that found the ids */
    Fetch(Reconciliation origin, Collection<EventId> ids) {
        this.origin = origin;
        missing = new LinkedHashSet<>(ids);
        size = missing.size();
    }

    /** How many ids it asked for. */
    int size() {
        return size;
    }

    /** How many of them have not come. */
    int missing() {
        return missing.size();
    }

    Reconciliation origin() {
        return origin;
    }

    PageRequest page() {
        return PageRequest.of(List.of(Filter.ALL.withIds(missing)));
    }

    HistoryQuery.Next ended(PageResult page) {
        boolean progress = missing.removeAll(page.delivered());
        if (missing.isEmpty()) {
            return new HistoryQuery.Next.End(new Outcome.Drained());
        }
        if (progress || !retried) {
            retried = !progress;
            return new HistoryQuery.Next.More();
        }
        return new HistoryQuery.Next.End(
                new Outcome.Unreconciled(missing.size() + " ids it claimed to have did not come"));
    }
}
