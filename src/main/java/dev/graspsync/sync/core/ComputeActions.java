package dev.graspsync.sync.core;

import dev.graspsync.nostr.Filter;
import dev.graspsync.sync.core.PendingSyncIndex.Asked;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;

/**
 * The only place that creates new work (rule 5): target − pending − confirmed = new. Takes what is wanted of a connected
 * relay, registers it as a batch, and sends its REQs as there is room for them.
 */
final class ComputeActions {

    private ComputeActions() {}

    static void run(RelayState relay, Turn turn) {
        relay.wanted.wake(turn.now());
        if (!relay.isConnected() || relay.quietUntil.isAfter(turn.now()) || relay.auth == RelayState.Auth.ASKED) {
            return;
        }
        LiveRules.cover(relay, turn);
        int slots = relay.budget.historySlots(turn.settings().historyRequests());
        while (relay.pending.open().size() < slots && relay.openSubscriptions() < relay.budget.subscriptions()) {
            if (!relay.pending.hasWaiting() && !registerBatch(relay, turn)) {
                break;
            }
            Asked asked = relay.pending.nextWaiting();
            if (asked != null) {
                send(relay, asked, turn);
            }
        }
        noteCompleteness(relay, turn);
    }

    private static void send(RelayState relay, Asked asked, Turn turn) {
        String id = turn.ids().next('h');
        asked.sent(turn.now());
        relay.pending.open().put(id, asked);
        turn.act(new SyncAction.Subscribe(
                relay.url, id, asked.query().page(), asked.batch().purpose()));
    }

    private static void noteCompleteness(RelayState relay, Turn turn) {
        boolean complete = relay.wanted.isEmpty() && relay.pending.isEmpty();
        if (complete && !relay.complete) {
            relay.catchUpSince = null;
            relay.freshSyncing = false;
            relay.why = relay.live.isRefused(turn.now()) ? relay.why : null;
            int items = relay.repos.values().stream()
                    .mapToInt(RepoAtRelay::confirmedCount)
                    .sum();
            turn.report(relay.url, new Finding.Complete(relay.repos.size(), items));
            relay.remember(turn);
        }
        relay.complete = complete;
    }

    /** What may share a batch: it is asked for from the same second on, for the same reason. */
    private record Sort(boolean announcements, boolean stale, Purpose purpose) {

        static Sort of(RelayState relay, RepoAtRelay repo, int number) {
            boolean stale = repo.isStale(number);
            Purpose again = relay.freshSyncing && !stale ? Purpose.FRESH_SYNC : Purpose.CATCH_UP;
            return new Sort(repo == relay.announcements, stale, repo.isAgain(number) ? again : Purpose.FIRST_SYNC);
        }
    }

    private static boolean registerBatch(RelayState relay, Turn turn) {
        Sort sort = null;
        PendingBatch batch = null;
        List<Item> items = new ArrayList<>();
        int room = relay.budget.values();
        for (Iterator<RepoAtRelay> ready = relay.wanted.ready().iterator(); ready.hasNext() && room > 0; ) {
            RepoAtRelay repo = ready.next();
            BitSet wanted = repo.wanted();
            BitSet taken = new BitSet();
            for (int i = wanted.nextSetBit(0); i >= 0 && room > 0; i = wanted.nextSetBit(i + 1)) {
                Sort own = Sort.of(relay, repo, i);
                if (sort == null) {
                    sort = own;
                    batch = new PendingBatch(own.purpose());
                }
                if (own.equals(sort)) {
                    taken.set(i);
                    items.add(repo.repo().item(i));
                    room--;
                }
            }
            if (taken.cardinality() == wanted.cardinality()) {
                ready.remove();
            }
            if (batch != null && !taken.isEmpty()) {
                batch.add(repo, taken);
            }
        }
        if (sort == null || batch == null) {
            return false;
        }
        LayerFilters layers = new LayerFilters(relay.budget, base(relay, sort, turn));
        List<HistoryQuery> queries = new ArrayList<>();
        layers.of(items).forEach(filter -> queries.add(new HistoryQuery(filter, relay.longestPage)));
        relay.pending.register(batch, queries);
        return true;
    }

    private static Filter base(RelayState relay, Sort sort, Turn turn) {
        Filter base = relay.budget.limit() > 0 ? Filter.ALL.withLimit(relay.budget.limit()) : Filter.ALL;
        Instant since = relay.catchUpSince;
        return sort.stale() && since != null ? base.withSince(turn.seconds(since)) : base;
    }
}
