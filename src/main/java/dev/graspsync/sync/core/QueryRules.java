package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.sync.core.PendingSyncIndex.Asked;
import dev.graspsync.sync.core.RelayState.Auth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** How queries go on and end, and with them their batch: confirmed, or wanted again after a while (rule 6). */
final class QueryRules {

    private static final int MOST_DOUBLINGS = 6;
    /** A relay that answers no request for that many deadlines is connected to anew. */
    private static final int SILENT_DEADLINES = 4;

    /** The connection code takes a page as cut before that; longer than that none is waited for, whatever comes. */
    static final Duration LONGEST_PAGE = Duration.ofMinutes(15);

    private QueryRules() {}

    /** Rule 6: when a query has been silent, or its page open, for too long. */
    static Instant deadline(RelayState relay, Asked asked, SyncSettings settings) {
        Instant silent = NegentropyRules.deadline(relay, asked, settings);
        Instant latest = asked.sentAt().plus(LONGEST_PAGE);
        return asked.query() instanceof Reconciliation || silent.isBefore(latest) ? silent : latest;
    }

    static void pageEnded(RelayState relay, String id, PageResult page, Hint hint, Turn turn) {
        relay.answeredAt = turn.now();
        relay.drops = 0;
        ConnectionRules.answered(relay, turn);
        if (relay.live.has(id)) {
            pageEndedLive(relay, id, turn);
            return;
        }
        Asked asked = relay.pending.open().remove(id);
        if (asked == null) {
            return;
        }
        relay.rateLimits = 0;
        relay.sentMuchAt = turn.now();
        relay.longestPage = Math.max(relay.longestPage, page.received());
        turn.act(new SyncAction.Unsubscribe(relay.url, id));
        HistoryQuery.Next next = switch (asked.query()) {
            case HistoryQuery history -> history.ended(page, hint);
            case Fetch fetch -> fetch.ended(page);
            case Reconciliation none -> new HistoryQuery.Next.End(new Outcome.Idle());
        };
        switch (next) {
            case HistoryQuery.Next.More more -> relay.pending.askAgain(asked);
            case HistoryQuery.Next.End(Outcome outcome) -> {
                if (asked.query() instanceof Fetch fetch) {
                    NegentropyResults.fetched(relay, asked, fetch, outcome, turn);
                } else {
                    end(relay, asked, outcome, turn);
                }
            }
        }
    }

    private static void pageEndedLive(RelayState relay, String id, Turn turn) {
        relay.live.established(id).forEach(old -> turn.act(new SyncAction.Unsubscribe(relay.url, old)));
    }

    static void end(RelayState relay, Asked asked, Outcome outcome, Turn turn) {
        if (asked.query() instanceof HistoryQuery history) {
            history.gaps().forEach(second -> turn.report(relay.url, new Finding.DenseSecond(second)));
        }
        PendingBatch batch = asked.batch();
        if (!batch.ended(outcome)) {
            return;
        }
        relay.pending.done(batch);
        Outcome failure = batch.failure();
        relay.ended(batch, failure == null ? outcome : failure, turn);
        if (failure == null) {
            for (PendingBatch.Slice slice : batch.slices()) {
                slice.repo().confirm(slice.numbers());
                if (!slice.repo().isRemoved()) {
                    relay.wanted.add(slice.repo(), turn.now());
                }
            }
            return;
        }
        NegentropyResults.returned(relay, batch, failure, turn);
        int returns = batch.slices().stream()
                .mapToInt(slice -> slice.repo().returns())
                .max()
                .orElse(0);
        Instant retryAt = turn.now().plus(delay(failure, returns, turn));
        if (!(failure instanceof Outcome.Unreconciled)) { // which says so itself
            turn.report(relay.url, new Finding.Returned(failure, batch.items(), retryAt));
        }
        batch.slices().forEach(slice -> ConnectionRules.giveBack(relay, slice, retryAt, turn));
    }

    static Duration delay(Outcome failure, int returns, Turn turn) {
        SyncSettings settings = turn.settings();
        return switch (failure) {
            case Outcome.Drained drained -> Duration.ZERO;
            case Outcome.Lost lost -> Duration.ZERO;
            case Outcome.Unreconciled unreconciled -> Duration.ZERO;
            case Outcome.Delayed delayed -> settings.waits().errorRetry();
            case Outcome.Capped capped -> settings.waits().finalRetry();
            case Outcome.AuthNeeded auth -> settings.waits().finalRetry();
            case Outcome.Idle idle -> doubled(settings.waits().errorRetry(), returns);
            case Outcome.Closed(Refusal refusal, String message) ->
                switch (refusal) {
                    case FINAL, AUTH_REQUIRED -> settings.waits().finalRetry();
                    case ERROR, RATE_LIMITED -> doubled(settings.waits().errorRetry(), returns);
                    case TOO_MANY_SUBSCRIPTIONS, TOO_MANY_FILTERS, TOO_LARGE, KINDS_NEEDED, TOO_MANY_KINDS ->
                        Duration.ZERO;
                };
        };
    }

    static Duration doubled(Duration first, int times) {
        return first.multipliedBy(1L << Math.min(times, MOST_DOUBLINGS));
    }

    /** Ends what has been silent for too long; a NOTICE in the meantime is taken as the reason. */
    static void endIdle(RelayState relay, Turn turn) {
        Instant silentSince = turn.now().minus(turn.settings().waits().idleAfter());
        boolean unanswered = false;
        for (Map.Entry<String, Asked> entry : List.copyOf(relay.pending.open().entrySet())) {
            Asked asked = entry.getValue();
            if (deadline(relay, asked, turn.settings()).isAfter(turn.now())
                    || !relay.pending.open().containsKey(entry.getKey())) {
                continue;
            }
            turn.act(new SyncAction.Unsubscribe(relay.url, entry.getKey()));
            if (relay.lastNoticeAt.isAfter(asked.sentAt()) || relay.lastNoticeAt.equals(asked.sentAt())) {
                RefusalRules.closed(relay, entry.getKey(), relay.lastNotice, turn);
            } else if (asked.query() instanceof Reconciliation query) {
                relay.pending.open().remove(entry.getKey());
                NegentropyResults.silent(relay, asked, query, turn);
            } else {
                unanswered = true;
                relay.pending.open().remove(entry.getKey());
                end(relay, asked, new Outcome.Idle(), turn);
            }
        }
        if (relay.auth == Auth.ASKED && !relay.authAskedAt.isAfter(silentSince)) {
            relay.auth = Auth.REFUSED;
        }
        for (String id : relay.live.silentSince(silentSince)) {
            // It may well be live without having said so; what it replaces is not kept for that.
            pageEndedLive(relay, id, turn);
        }
        Duration silence = turn.settings().waits().idleAfter().multipliedBy(SILENT_DEADLINES);
        if (unanswered && !relay.answeredAt.plus(silence).isAfter(turn.now())) {
            turn.act(new SyncAction.Disconnect(relay.url, "it no longer answers requests"));
            ConnectionRules.leaveSilent(relay, silentSince, turn);
        }
    }
}
