package dev.graspsync.sync.core;

import dev.graspsync.nostr.Filter;
import dev.graspsync.sync.core.ConnectionState.Connected;
import dev.graspsync.sync.core.NegentropyRules.Reading;
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
        int slots = relay.budget.historySlots(turn.settings().budgets().historyRequests());
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
        String id = turn.ids().next(asked.query() instanceof Reconciliation ? 'n' : 'h');
        asked.sent(turn.now());
        relay.pending.open().put(id, asked);
        Purpose purpose = asked.batch().purpose();
        turn.act(
                switch (asked.query()) {
                    case HistoryQuery history -> new SyncAction.Subscribe(relay.url, id, history.page(), purpose);
                    case Fetch fetch -> new SyncAction.Subscribe(relay.url, id, fetch.page(), purpose);
                    case Reconciliation compared -> NegentropyRules.open(relay, id, compared, turn);
                });
    }

    private static void noteCompleteness(RelayState relay, Turn turn) {
        boolean complete = relay.wanted.isEmpty() && relay.pending.isEmpty();
        if (complete && !relay.complete) {
            relay.catchUpSince = null;
            relay.freshSyncing = false;
            relay.silentHealth = null;
            relay.why = relay.live.isRefused(turn.now()) ? relay.why : null;
            relay.reading = Reading.PAGES; // what turns up from now on is new
            relay.negentropyFailures = 0;
            int items = relay.repos.values().stream()
                    .mapToInt(RepoAtRelay::confirmedCount)
                    .sum();
            turn.report(relay.url, new Finding.Complete(relay.repos.size(), items));
            relay.remember(turn);
        }
        relay.complete = complete;
    }

    /** What may share a batch: it is asked for from the same second on, in the same way, for the same reason. */
    private record Sort(boolean announcements, boolean stale, Reading reading, Purpose purpose) {

        /** @param whole why everything is compared, if it is: one comparison stands for all that is wanted */
        static Sort of(RelayState relay, RepoAtRelay repo, int number, Purpose whole) {
            boolean stale = repo.isStale(number);
            // Rule 17: what a quick reconnect asks for is never compared.
            Reading reading = stale ? Reading.PAGES : relay.reading;
            if (reading == Reading.WHOLE) {
                return new Sort(false, false, reading, whole);
            }
            Purpose again = relay.freshSyncing && !stale ? Purpose.FRESH_SYNC : Purpose.CATCH_UP;
            return new Sort(
                    repo == relay.announcements, stale, reading, repo.isAgain(number) ? again : Purpose.FIRST_SYNC);
        }

        int room(RelayState relay) {
            return switch (reading) {
                case WHOLE -> Integer.MAX_VALUE;
                case FILTERS -> NegentropyRules.wider(relay).values();
                case PAGES -> relay.budget.values();
            };
        }
    }

    private static boolean registerBatch(RelayState relay, Turn turn) {
        Sort sort = null;
        PendingBatch batch = null;
        List<Item> items = new ArrayList<>();
        if (relay.reading == Reading.WHOLE && isPatient(relay, turn)) {
            return false;
        }
        Purpose whole = NegentropyRules.purposeOfWhole(relay);
        int room = Integer.MAX_VALUE;
        for (Iterator<RepoAtRelay> ready = relay.wanted.ready().iterator(); ready.hasNext() && room > 0; ) {
            RepoAtRelay repo = ready.next();
            BitSet wanted = repo.wanted();
            BitSet taken = new BitSet();
            for (int i = wanted.nextSetBit(0); i >= 0 && room > 0; i = wanted.nextSetBit(i + 1)) {
                Sort own = Sort.of(relay, repo, i, whole);
                if (sort == null) {
                    sort = own;
                    batch = new PendingBatch(own.purpose(), own.reading() == Reading.WHOLE);
                    room = own.room(relay);
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
        relay.pending.register(batch, queries(relay, sort, items, turn));
        if (batch.isWhole()) {
            relay.reading = Reading.FILTERS; // for what turns up meanwhile
        }
        return true;
    }

    /** The comparison of everything stands for all that is wanted, so that has to be known first. */
    private static boolean isPatient(RelayState relay, Turn turn) {
        return !turn.ownRelayRead()
                && relay.connection instanceof Connected connected
                && NegentropyRules.patience(connected.since()).isAfter(turn.now());
    }

    private static List<Query> queries(RelayState relay, Sort sort, List<Item> items, Turn turn) {
        Filter base = base(relay, sort, turn);
        return switch (sort.reading()) {
            case WHOLE -> List.of(Reconciliation.ofWhole());
            case FILTERS -> {
                LayerFilters layers = new LayerFilters(NegentropyRules.wider(relay), base);
                yield NegentropyRules.queries(relay, layers.of(items), true);
            }
            case PAGES -> NegentropyRules.queries(relay, new LayerFilters(relay.budget, base).of(items), false);
        };
    }

    private static Filter base(RelayState relay, Sort sort, Turn turn) {
        // A limit says nothing to a comparison.
        Filter base = relay.budget.limit() > 0 && sort.reading() == Reading.PAGES
                ? Filter.ALL.withLimit(relay.budget.limit())
                : Filter.ALL;
        Instant since = relay.catchUpSince;
        return sort.stale() && since != null ? base.withSince(turn.seconds(since)) : base;
    }
}
