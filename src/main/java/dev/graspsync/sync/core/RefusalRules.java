package dev.graspsync.sync.core;

import dev.graspsync.sync.core.PendingSyncIndex.Asked;
import dev.graspsync.sync.core.RelayState.Auth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a refusal asks us to do differently: authenticate, wait, ask for less, or give up for a day (rule 7). */
final class RefusalRules {

    private RefusalRules() {}

    static void closed(RelayState relay, String id, String message, Turn turn) {
        Refusal refusal = Refusal.of(message);
        boolean isLive = relay.live.has(id);
        Asked asked = relay.pending.open().get(id);
        if (!isLive && asked == null) {
            return;
        }
        relay.wentWrong(message, turn);
        int open = relay.openSubscriptions();
        boolean announcements = relay.live.isAnnouncements(id);
        relay.live.closed(id, turn.now());
        relay.pending.open().remove(id);
        if (asked != null && asked.query() instanceof Reconciliation query) {
            NegentropyResults.refused(relay, asked, query, message, OptionalLong.empty(), OptionalLong.empty(), turn);
            return;
        }
        if (asked != null && asked.query() instanceof Fetch fetch && NegentropyRules.refusesIds(asked, refusal)) {
            NegentropyResults.idsRefused(relay, asked, fetch, message, turn);
            return;
        }
        switch (refusal) {
            case AUTH_REQUIRED -> authRequired(relay, asked, announcements, message, turn);
            case RATE_LIMITED -> {
                coolDown(relay, message, turn);
                askAgain(relay, asked);
            }
            case TOO_MANY_SUBSCRIPTIONS -> {
                if (!learn(relay, refusal, message, open, turn)) {
                    coolDown(relay, message, turn); // fewer cannot be asked for, but perhaps later
                }
                askAgain(relay, asked);
            }
            case TOO_MANY_FILTERS, TOO_LARGE, KINDS_NEEDED, TOO_MANY_KINDS -> {
                boolean learned =
                        learn(relay, refusal, message, open, turn) || wasSentBeforeThatWasLearned(relay, asked);
                if (learned && asked != null) {
                    cancelOthers(relay, asked, new Outcome.Closed(refusal, message), turn);
                }
                refused(relay, asked, announcements, learned ? refusal : Refusal.FINAL, message, turn);
            }
            case FINAL, ERROR -> refused(relay, asked, announcements, refusal, message, turn);
        }
    }

    /** Several batches may be under way: what the first refusal taught could not be heeded by the others. */
    private static boolean wasSentBeforeThatWasLearned(RelayState relay, @Nullable Asked asked) {
        return asked != null && !asked.sentAt().isAfter(relay.learnedAt);
    }

    /** The rest of the batch would be refused too: it is asked for in another way, all of it. */
    private static void cancelOthers(RelayState relay, Asked refused, Outcome outcome, Turn turn) {
        for (Map.Entry<String, Asked> entry : List.copyOf(relay.pending.open().entrySet())) {
            if (entry.getValue().batch() == refused.batch()) {
                relay.pending.open().remove(entry.getKey());
                turn.act(new SyncAction.Unsubscribe(relay.url, entry.getKey()));
                QueryRules.end(relay, entry.getValue(), outcome, turn);
            }
        }
        relay.pending.removeWaiting(refused.batch()).forEach(asked -> QueryRules.end(relay, asked, outcome, turn));
    }

    private static void askAgain(RelayState relay, @Nullable Asked asked) {
        if (asked != null) {
            relay.pending.askAgain(asked);
        }
    }

    private static void refused(
            RelayState relay,
            @Nullable Asked asked,
            boolean announcements,
            Refusal refusal,
            String message,
            Turn turn) {
        Outcome outcome = new Outcome.Closed(refusal, message);
        if (asked != null) {
            QueryRules.end(relay, asked, outcome, turn);
        } else {
            liveRefused(relay, announcements, outcome, message, turn);
        }
    }

    private static void liveRefused(
            RelayState relay, boolean announcements, Outcome outcome, String message, Turn turn) {
        Duration pause = QueryRules.delay(outcome, 0, turn);
        Instant until = turn.now().plus(pause);
        relay.live.notBefore(announcements, until);
        // An error now and then is usual, and soon over.
        if (pause.compareTo(turn.settings().waits().finalRetry()) >= 0) {
            turn.report(relay.url, new Finding.LiveRefused(until, message));
        }
    }

    static void authRequired(
            RelayState relay, @Nullable Asked asked, boolean announcements, String message, Turn turn) {
        switch (relay.auth) {
            case NOT_ASKED -> {
                authenticate(relay, turn);
                askAgain(relay, asked);
            }
            case ASKED -> askAgain(relay, asked);
            case ACCEPTED, REFUSED -> {
                Outcome outcome = new Outcome.AuthNeeded(message);
                if (asked != null) {
                    QueryRules.end(relay, asked, outcome, turn);
                } else {
                    liveRefused(relay, announcements, outcome, message, turn);
                }
            }
        }
    }

    private static void authenticate(RelayState relay, Turn turn) {
        relay.auth = Auth.ASKED;
        relay.authAskedAt = turn.now();
        turn.act(new SyncAction.Authenticate(relay.url));
    }

    /** Rule 24: a rate limit means waiting, not failure; each one in a row doubles the wait. */
    static void coolDown(RelayState relay, String message, Turn turn) {
        if (relay.quietUntil.isAfter(turn.now())) {
            return;
        }
        Duration pause = QueryRules.doubled(turn.settings().waits().rateLimitPause(), relay.rateLimits++);
        relay.quietUntil = turn.now().plus(pause);
        relay.wentWrong(message, turn);
        turn.report(relay.url, new Finding.CoolingDown(relay.quietUntil, message));
    }

    static boolean learn(RelayState relay, Refusal refusal, String message, Turn turn) {
        return learn(relay, refusal, message, relay.openSubscriptions(), turn);
    }

    private static boolean learn(RelayState relay, Refusal refusal, String message, int open, Turn turn) {
        RelayBudget before = relay.budget;
        relay.budget = before.after(refusal, open);
        if (relay.budget.equals(before)) {
            return false;
        }
        relay.learned = relay.budget;
        relay.learnedAt = turn.now();
        turn.report(relay.url, new Finding.Learned(relay.budget.toString(), message));
        shed(relay, turn);
        relay.remember(turn);
        return true;
    }

    /** Closes what the smaller budget has no place for. */
    private static void shed(RelayState relay, Turn turn) {
        int over = relay.openSubscriptions() - relay.budget.subscriptions();
        if (over <= 0 && relay.live.size() < relay.budget.subscriptions()) {
            return;
        }
        List<String> retiring = relay.live.dropRetiring();
        retiring.forEach(id -> turn.act(new SyncAction.Unsubscribe(relay.url, id)));
        over -= retiring.size();
        for (String id : List.copyOf(relay.pending.open().keySet()).reversed()) {
            if (over-- <= 0) {
                break;
            }
            turn.act(new SyncAction.Unsubscribe(relay.url, id));
            askAgain(relay, relay.pending.open().remove(id));
        }
        if (relay.live.size() >= relay.budget.subscriptions()) {
            relay.live.retireItems().forEach(id -> turn.act(new SyncAction.Unsubscribe(relay.url, id)));
            relay.live.breakAt(turn.now());
            relay.live.wantRebuild(true);
        }
    }

    static void noticed(RelayState relay, String message, Turn turn) {
        relay.lastNotice = message;
        relay.lastNoticeAt = turn.now();
        for (String id : openIds(relay)) {
            if (names(message, id)) {
                turn.act(new SyncAction.Unsubscribe(relay.url, id));
                closed(relay, id, message, turn);
                return;
            }
        }
        if (isAboutComparing(relay, message, turn)) {
            return;
        }
        switch (Refusal.of(message)) {
            case RATE_LIMITED -> coolDown(relay, message, turn);
            case TOO_MANY_SUBSCRIPTIONS -> {
                // strfry answers such a REQ from its store and then sends nothing live: no subscription can be trusted.
                if (learn(relay, Refusal.TOO_MANY_SUBSCRIPTIONS, message, turn)) {
                    relay.live.breakAt(turn.now());
                    relay.live.wantRebuild(true);
                }
            }
            case AUTH_REQUIRED -> {
                if (relay.auth == Auth.NOT_ASKED) {
                    authenticate(relay, turn);
                }
            }
            case TOO_MANY_FILTERS, TOO_LARGE, KINDS_NEEDED, TOO_MANY_KINDS, FINAL, ERROR -> {}
        }
    }

    /** Rule 20: a relay that does not know NIP-77 says so without an id, as the first answer. */
    private static boolean isAboutComparing(RelayState relay, String message, Turn turn) {
        if (!NegentropyRefusal.isMeant(message)) {
            return false;
        }
        for (Map.Entry<String, Asked> entry : relay.pending.open().entrySet()) {
            Asked asked = entry.getValue();
            if (asked.query() instanceof Reconciliation query && NegentropyResults.isUnanswered(asked)) {
                relay.pending.open().remove(entry.getKey());
                turn.act(new SyncAction.Unsubscribe(relay.url, entry.getKey()));
                NegentropyResults.unsupported(relay, asked, query, message, turn);
                return true;
            }
        }
        return false;
    }

    /** Whole: gs-h1 is not gs-h12. */
    private static boolean names(String message, String id) {
        int at = message.indexOf(id);
        int end = at + id.length();
        return at >= 0 && (end == message.length() || !Character.isDigit(message.charAt(end)));
    }

    private static List<String> openIds(RelayState relay) {
        List<String> ids = new ArrayList<>(relay.pending.open().keySet());
        ids.addAll(relay.live.subs().keySet());
        return ids;
    }

    static void authenticated(RelayState relay, boolean accepted) {
        if (relay.auth == Auth.ASKED) {
            relay.auth = accepted ? Auth.ACCEPTED : Auth.REFUSED;
        }
    }
}
