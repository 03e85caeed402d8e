package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.sync.core.NegentropyRules.Reading;
import dev.graspsync.sync.core.PendingSyncIndex.Asked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What comes of comparisons (NIP-77, rules 18 to 20): what is missing is fetched, what overflows is split, and what fails
 * is asked for in another way.
 */
final class NegentropyResults {

    private static final int MOST_FAILURES = 2;
    /** Of a day, and days. */
    private static final int DROPPED_ONCE = 12;

    private static final int DROPPED_OFTEN = 7;
    private static final int MOST_LOSSES = 4;

    private NegentropyResults() {}

    static void reconciled(RelayState relay, SyncInput.Reconciled done, Turn turn) {
        Asked asked = relay.pending.open().get(done.session());
        if (asked == null || !(asked.query() instanceof Reconciliation query)) {
            return;
        }
        relay.pending.open().remove(done.session());
        answered(relay, turn);
        turn.report(relay.url, new Finding.Compared(query.whole(), done.need().size(), done.have()));
        List<EventId> need = done.need();
        int atOnce = relay.budget.values();
        List<Query> fetches = new ArrayList<>();
        for (int from = 0; from < need.size(); from += atOnce) {
            fetches.add(new Fetch(query, need.subList(from, Math.min(need.size(), from + atOnce))));
        }
        replace(relay, asked, fetches, turn);
    }

    /** Its first message is out; from now on the relay is waited for. */
    static void began(RelayState relay, SyncInput.ReconcileBegan began) {
        Asked asked = relay.pending.open().get(began.session());
        if (asked != null) {
            asked.sent(began.at());
            asked.begin();
        }
    }

    static void failed(RelayState relay, SyncInput.ReconcileFailed failed, Turn turn) {
        Asked asked = relay.pending.open().get(failed.session());
        if (asked == null || !(asked.query() instanceof Reconciliation query)) {
            return;
        }
        relay.pending.open().remove(failed.session());
        answered(relay, turn);
        switch (failed.why()) {
            case ReconcileFailure.Refused(String reason, var cap, var middle) ->
                refused(relay, asked, query, reason, cap, middle, turn);
            case ReconcileFailure.TooMany(var middle) ->
                split(relay, asked, query, middle, "more events here than a comparison may hold", turn);
            case ReconcileFailure.TooDifferent(String why) ->
                fallBack(relay, asked, query, Fallback.TOO_DIFFERENT, why, turn);
            case ReconcileFailure.Broken(String why) -> giveUp(relay, asked, query, Fallback.BROKEN, why, turn);
            case ReconcileFailure.OtherVersion(int version) ->
                unsupported(relay, asked, query, "it speaks version %#x of negentropy".formatted(version), turn);
            case ReconcileFailure.Failed(String why) -> QueryRules.end(relay, asked, new Outcome.Delayed(why), turn);
        }
    }

    private static void answered(RelayState relay, Turn turn) {
        relay.answeredAt = turn.now();
        relay.drops = 0;
        relay.negentropyDrops = 0;
        relay.silentHealth = null;
    }

    /** NEG-ERR, a NOTICE in its place, or CLOSED, which some relays say instead. Its query is no longer open. */
    static void refused(
            RelayState relay,
            Asked asked,
            Reconciliation query,
            String reason,
            OptionalLong cap,
            OptionalLong middle,
            Turn turn) {
        switch (NegentropyRefusal.of(reason, cap)) {
            case AUTH_REQUIRED -> RefusalRules.authRequired(relay, asked, false, reason, turn);
            case RATE_LIMITED -> {
                RefusalRules.coolDown(relay, reason, turn);
                relay.pending.askAgain(asked);
            }
            case OVERFLOW -> split(relay, asked, query, middle, reason, turn);
            case FILTER -> {
                relay.negentropyWide &= query.whole();
                fallBack(relay, asked, query, Fallback.REFUSED, reason, turn);
            }
            case UNSUPPORTED -> unsupported(relay, asked, query, reason, turn);
            case TRANSIENT -> later(relay, asked, query, reason, turn);
        }
    }

    /** Nothing came for too long. Without any answer at all, it does not know what was asked. */
    static void silent(RelayState relay, Asked asked, Reconciliation query, Turn turn) {
        if (!asked.isBegun()) {
            QueryRules.end(relay, asked, new Outcome.Delayed("our own side was not read in time"), turn);
        } else if (!asked.sentAt().plus(NegentropyRules.LONGEST_UNANSWERED).isAfter(turn.now())) {
            later(relay, asked, query, "no answer", turn);
        } else if (asked.heardAt().equals(asked.sentAt())) {
            unsupported(relay, asked, query, "no answer", turn);
        } else {
            later(relay, asked, query, "it stopped answering", turn);
        }
    }

    /** A relay with more than it compares has much that is none of ours; of one filter, the time is halved. */
    private static void split(
            RelayState relay, Asked asked, Reconciliation query, OptionalLong middle, String why, Turn turn) {
        List<Reconciliation> halves = query.whole() ? List.of() : query.halves(middle, turn.seconds(turn.now()));
        if (halves.isEmpty() || !relay.comparing.split()) {
            fallBack(relay, asked, query, Fallback.OVERFLOW, why, turn);
        } else {
            turn.report(relay.url, new Finding.WindowSplit(why));
            replace(relay, asked, halves, turn);
        }
    }

    /** Later once more, and then in another way. */
    private static void later(RelayState relay, Asked asked, Reconciliation query, String why, Turn turn) {
        if (relay.negentropyFailures + 1 >= MOST_FAILURES) {
            giveUp(relay, asked, query, Fallback.FAILED, why, turn);
        } else {
            QueryRules.end(relay, asked, new Outcome.Closed(Refusal.ERROR, why), turn);
        }
    }

    /** Rule 20: for a day; told once, because until then it is not tried. */
    static void unsupported(RelayState relay, Asked asked, Reconciliation query, String why, Turn turn) {
        relay.negentropyRetryAt = turn.now().plus(turn.settings().waits().finalRetry());
        giveUp(relay, asked, query, Fallback.UNSUPPORTED, why, turn);
        relay.remember(turn);
    }

    /**
     * What was claimed and did not come, asked for twice (rule 19). An event may be replaced or deleted before it is fetched,
     * so a few of them are no reason not to compare: everything is compared again filter by filter, and a filter is read by
     * pages. Who claims much that does not come is compared with no more.
     */
    static void fetched(RelayState relay, Asked asked, Fetch fetch, Outcome outcome, Turn turn) {
        relay.comparing.fetched(fetch.size(), fetch.missing());
        if (!(outcome instanceof Outcome.Unreconciled(String why))) {
            QueryRules.end(relay, asked, outcome, turn);
        } else if (relay.comparing.claimsTooMuch()) {
            dropFetches(relay, asked, fetch, why, turn);
            giveUp(relay, asked, fetch.origin(), Fallback.UNDELIVERED, why, turn);
        } else {
            if (!fetch.origin().whole()) { // of everything, the rest is still worth fetching
                dropFetches(relay, asked, fetch, why, turn);
            }
            fallBack(relay, asked, fetch.origin(), Fallback.GONE, why, turn);
        }
    }

    /** A relay that hands out nothing by id is of no use to comparisons. */
    static void idsRefused(RelayState relay, Asked asked, Fetch fetch, String why, Turn turn) {
        dropFetches(relay, asked, fetch, why, turn);
        giveUp(relay, asked, fetch.origin(), Fallback.UNDELIVERED, why, turn);
    }

    /** What the same comparison found is not fetched any more: it comes in another way. */
    private static void dropFetches(RelayState relay, Asked asked, Fetch fetch, String why, Turn turn) {
        for (Asked other : relay.pending.removeWaitingFetches(asked.batch(), fetch.origin())) {
            byPages(relay, other, fetch.origin(), why, turn);
        }
    }

    /** A batch came back unconfirmed: it is compared once more, and then asked for by pages. */
    static void returned(RelayState relay, PendingBatch batch, Outcome failure, Turn turn) {
        if (failure instanceof Outcome.Unreconciled || (relay.reading == Reading.PAGES && !batch.isWhole())) {
            return;
        }
        if (failure instanceof Outcome.Delayed(String why)) {
            delayed(relay, batch, why, turn);
            return;
        }
        boolean again = ++relay.negentropyFailures < MOST_FAILURES;
        relay.reading = again ? batch.isWhole() ? Reading.WHOLE : relay.reading : Reading.PAGES;
    }

    /** What we could not do ourselves is no failure of the relay's; but what never finds room is read by pages. */
    private static void delayed(RelayState relay, PendingBatch batch, String why, Turn turn) {
        if (relay.comparing.delay(turn.now())) {
            relay.reading = batch.isWhole() ? Reading.WHOLE : relay.reading;
        } else {
            relay.reading = Reading.PAGES;
            turn.report(relay.url, new Finding.FellBack(Fallback.FAILED, why));
        }
    }

    /** Nothing is compared with this relay any more until the next fresh sync. */
    private static void giveUp(
            RelayState relay, Asked asked, Reconciliation query, Fallback reason, String why, Turn turn) {
        boolean told = relay.reading == Reading.PAGES;
        relay.reading = Reading.PAGES;
        for (Map.Entry<String, Asked> entry : List.copyOf(relay.pending.open().entrySet())) {
            if (entry.getValue().query() instanceof Reconciliation other) {
                relay.pending.open().remove(entry.getKey());
                turn.act(new SyncAction.Unsubscribe(relay.url, entry.getKey()));
                byPages(relay, entry.getValue(), other, why, turn);
            }
        }
        for (Asked waiting : relay.pending.removeWaitingComparisons()) {
            byPages(relay, waiting, (Reconciliation) waiting.query(), why, turn);
        }
        if (!told) {
            turn.report(relay.url, new Finding.FellBack(reason, why));
        }
        byPages(relay, asked, query, why, turn);
    }

    /** This one comparison is replaced. */
    private static void fallBack(
            RelayState relay, Asked asked, Reconciliation query, Fallback reason, String why, Turn turn) {
        turn.report(relay.url, new Finding.FellBack(reason, why));
        byPages(relay, asked, query, why, turn);
    }

    /** The comparison of everything ends, and its items are asked for by filter; that of a filter becomes its pages. */
    private static void byPages(RelayState relay, Asked asked, Reconciliation query, String why, Turn turn) {
        if (query.whole()) {
            QueryRules.end(relay, asked, new Outcome.Unreconciled(why), turn);
            return;
        }
        List<Query> pages = new ArrayList<>();
        if (asked.batch().replace(query)) {
            Filter filter = relay.budget.limit() > 0 ? query.filter().withLimit(relay.budget.limit()) : query.filter();
            new LayerFilters(relay.budget, Filter.ALL)
                    .narrowed(filter)
                    .forEach(narrow -> pages.add(new HistoryQuery(narrow, relay.longestPage)));
        }
        replace(relay, asked, pages, turn);
    }

    /** The query did its part; what is left of it takes its place in the batch. */
    private static void replace(RelayState relay, Asked asked, List<? extends Query> queries, Turn turn) {
        relay.pending.addFirst(asked.batch(), queries);
        QueryRules.end(relay, asked, new Outcome.Drained(), turn);
    }

    /**
     * Some relays answer what they do not know by hanging up. One drop may be chance; but where connecting is rare, each
     * one costs all that was to be read, so every further one is believed for longer.
     */
    static void lost(RelayState relay, Turn turn) {
        if (relay.pending.batches().stream().anyMatch(PendingBatch::isWhole)) {
            relay.reading = ++relay.negentropyFailures > MOST_LOSSES ? Reading.PAGES : Reading.WHOLE;
        }
        if (relay.pending.open().values().stream().anyMatch(NegentropyResults::isUnanswered)) {
            relay.reading = Reading.PAGES;
            Duration day = turn.settings().waits().finalRetry();
            relay.negentropyRetryAt = turn.now()
                    .plus(
                            switch (relay.negentropyDrops++) {
                                case 0 -> day.dividedBy(DROPPED_ONCE);
                                case 1 -> day;
                                default -> day.multipliedBy(DROPPED_OFTEN);
                            });
            turn.report(relay.url, new Finding.FellBack(Fallback.UNSUPPORTED, "the connection dropped when comparing"));
        }
    }

    /** Whether it is a comparison whose first message is out and has no answer. */
    static boolean isUnanswered(Asked asked) {
        return asked.query() instanceof Reconciliation
                && asked.isBegun()
                && asked.heardAt().equals(asked.sentAt());
    }
}
