package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is remembered of a relay across restarts (rule 25): its health, what its refusals taught, when it is due for a
 * fresh sync, and how reliable it was.
 *
 * @param failures in a row; 0 for a healthy relay
 * @param failingSince the first of them
 * @param negentropyRetryAt it does not know NIP-77 and is not asked before then
 */
public record RelayRecord(
        RelayUrl relay,
        int failures,
        Optional<Instant> failingSince,
        Optional<Instant> nextAttempt,
        Optional<Instant> freshSyncDue,
        Optional<Instant> lastConnected,
        RelayBudget budget,
        Reliability reliability,
        Coverage coverage,
        Optional<Instant> negentropyRetryAt,
        Optional<Synced> synced) {

    /** For a store that does not hold what was synced. */
    public RelayRecord withoutSynced() {
        return new RelayRecord(
                relay,
                failures,
                failingSince,
                nextAttempt,
                freshSyncDue,
                lastConnected,
                budget,
                reliability,
                coverage,
                negentropyRetryAt,
                Optional.empty());
    }

    /** @param deadAfter failing for so long makes a relay dead (rule 24) */
    public RelayHealth.Status status(Instant now, Duration deadAfter) {
        return RelayHealth.status(failures, failingSince, now, deadAfter);
    }

    /**
     * How much of what is wanted of the relay is confirmed.
     *
     * @param items wanted: repositories, root events and what they name
     */
    public record Coverage(long items, long confirmed) {

        public static final Coverage NONE = new Coverage(0, 0);
    }

    /**
     * What was confirmed, so that a restart asks for the rest.
     *
     * @param upTo everything published by then is here, of what is named
     * @param announcements whether all of them are
     * @param repos of which everything is
     */
    public record Synced(Instant upTo, boolean announcements, RepoDigests repos) {}

    /** Counted since the relay was first named. */
    public record Reliability(long attempts, long failures, Duration up, Duration down) {

        public static final Reliability NONE = new Reliability(0, 0, Duration.ZERO, Duration.ZERO);
    }
}
