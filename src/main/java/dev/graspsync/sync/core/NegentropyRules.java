package dev.graspsync.sync.core;

import dev.graspsync.nostr.Filter;
import dev.graspsync.sync.core.PendingSyncIndex.Asked;
import dev.graspsync.sync.core.SyncAction.Reconcile.Most;
import dev.graspsync.sync.core.SyncSettings.Comparing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Comparing with a relay (NIP-77, rules 17 to 20): first everything both sides have, which is one message where nothing
 * is missing; if that is too different, filter by filter; and by pages where comparing does not work out.
 */
final class NegentropyRules {

    /** How a relay is asked for what is wanted of it. */
    enum Reading {
        /** All it has is compared with all we have. */
        WHOLE,
        /** Filter by filter is compared. */
        FILTERS,
        /** REQs, page by page. */
        PAGES
    }

    /** How long the comparison of everything waits for the own relay to be read: it stands for all that is wanted. */
    private static final Duration OWN_RELAY = Duration.ofMinutes(2);

    /** Where fewer are missing than so many, or than a share of ours, fetching by id costs less than pages. */
    private static final Most MOST_OF_WHOLE = new Most(1_000, 10, 20_000);

    private static final Most MOST_OF_FILTER = new Most(1_000, 50, 20_000);

    /** A comparison's filter may name so many times the values of one that is read by pages. */
    private static final int WIDER = 8;

    private static final int LEAST_FRAME = 4_096;
    private static final int MOST_FRAME = 60_000;
    /** Characters that every relay takes in a message, as far as is known. */
    private static final int USUAL_MESSAGE = 64 << 10;

    private static final int OPENING = 1_024;
    /** Who compares answers within seconds; who does not know how to may never say so. */
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(20);

    /** However much else the relay sends meanwhile. */
    static final Duration LONGEST_UNANSWERED = Duration.ofMinutes(15);

    private NegentropyRules() {}

    /** On a fresh connect, a stale reconnect and a fresh sync; a quick reconnect goes on as it was (rule 17). */
    static void startOver(RelayState relay, Turn turn) {
        relay.negentropyFailures = 0;
        relay.comparing = new ComparingPass();
        relay.reading = switch (turn.settings().comparing()) {
            case NEVER -> Reading.PAGES;
            // Not everything we have is any business of a relay: what it may be given, filters say.
            case FETCH_AND_PUSH -> Reading.FILTERS;
            case FETCH -> Reading.WHOLE;
        };
        if (relay.negentropyRetryAt.isAfter(turn.now())) {
            relay.reading = Reading.PAGES;
        }
    }

    /** When the comparison of everything need not wait for the own relay any longer. */
    static Instant patience(Instant connected) {
        return connected.plus(OWN_RELAY);
    }

    /** One comparison finds what is new here and what was missed; it counts as what most of the items are. */
    static Purpose purposeOfWhole(RelayState relay) {
        if (relay.reading != Reading.WHOLE) {
            return Purpose.FIRST_SYNC;
        }
        long items = 1;
        long again = relay.announcements.isAgain(0) ? 1 : 0;
        for (RepoAtRelay repo : relay.repos.values()) {
            items += repo.repo().size();
            again += repo.againCount();
        }
        if (2 * again < items) {
            return Purpose.FIRST_SYNC;
        }
        return relay.freshSyncing ? Purpose.FRESH_SYNC : Purpose.CATCH_UP;
    }

    static List<Query> queries(RelayState relay, List<Filter> filters, boolean compare) {
        List<Query> queries = new ArrayList<>(filters.size());
        for (Filter filter : filters) {
            boolean names = filter.ids().isPresent() || filter.authors().isPresent();
            queries.add(compare && !names ? Reconciliation.of(filter) : new HistoryQuery(filter, relay.longestPage));
        }
        return queries;
    }

    /** Fewer, larger filters: each costs a round of its own. */
    static RelayBudget wider(RelayState relay) {
        return relay.negentropyWide ? relay.budget.withValues(WIDER * relay.budget.values()) : relay.budget;
    }

    static SyncAction.Reconcile open(RelayState relay, String session, Reconciliation query, Turn turn) {
        int message = relay.hints.maxMessageLength().orElse(USUAL_MESSAGE);
        return new SyncAction.Reconcile(
                relay.url,
                session,
                query.filter(),
                Math.clamp((message - OPENING) / 2, LEAST_FRAME, MOST_FRAME),
                query.whole() ? MOST_OF_WHOLE : MOST_OF_FILTER,
                // Rule 23: what concerns the repositories that name it; all announcements are none of its business.
                turn.settings().comparing() == Comparing.FETCH_AND_PUSH
                        && !query.base().tags().isEmpty());
    }

    /** When silence about a request ends it. The answer to a comparison waits behind what the relay sends before it. */
    static Instant deadline(RelayState relay, Asked asked, SyncSettings settings) {
        Duration patience = settings.waits().idleAfter();
        if (!(asked.query() instanceof Reconciliation) || !asked.isBegun()) {
            return asked.heardAt().plus(patience);
        }
        boolean first = NegentropyResults.isUnanswered(asked) && FIRST_ANSWER.compareTo(patience) < 0;
        Instant silentSince = relay.sentMuchAt.isAfter(asked.heardAt()) ? relay.sentMuchAt : asked.heardAt();
        Instant deadline = silentSince.plus(first ? FIRST_ANSWER : patience);
        Instant latest = asked.heardAt().plus(LONGEST_UNANSWERED);
        return latest.isBefore(deadline) ? latest : deadline;
    }

    /** Ids are no filter to every relay; whoever refuses them is asked by pages. */
    static boolean refusesIds(Asked asked, Refusal refusal) {
        return asked.query() instanceof Fetch
                && switch (refusal) {
                    case KINDS_NEEDED, TOO_MANY_KINDS, FINAL -> true;
                    case AUTH_REQUIRED, RATE_LIMITED, TOO_MANY_SUBSCRIPTIONS, TOO_MANY_FILTERS, TOO_LARGE, ERROR ->
                        false;
                };
    }
}
