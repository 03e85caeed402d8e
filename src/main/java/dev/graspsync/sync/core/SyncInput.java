package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What happened, and when. Inputs are given to the engine one by one, with times that do not go back. */
public sealed interface SyncInput {

    Instant at();

    // From the own relay, through the SelfSubscriber ---------------------------------------------------------------

    /** What the own relay holds of announcements, root events and removals: one window's worth. */
    record SelfBatch(Instant at, List<Announced> announcements, List<Rooted> roots, List<Removed> removals)
            implements SyncInput {
        public SelfBatch {
            announcements = List.copyOf(announcements);
            roots = List.copyOf(roots);
            removals = List.copyOf(removals);
        }
    }

    /** The own relay is being read from its beginning. */
    record SelfDrainBegan(Instant at) implements SyncInput {}

    /** The own relay has been read to its end since {@link SelfDrainBegan}: a repository it did not show is gone. */
    record SelfDrained(Instant at) implements SyncInput {}

    // From a remote relay's connection -----------------------------------------------------------------------------

    /** A connection is open; {@code hints} is what its NIP-11 document says. */
    record Opened(Instant at, RelayUrl relay, RelayHints hints) implements SyncInput {}

    record OpenFailed(Instant at, RelayUrl relay, String why) implements SyncInput {}

    /** An open connection is gone; {@code lastHeard} is when it last gave a sign of life. */
    record Lost(Instant at, RelayUrl relay, Instant lastHeard, String why) implements SyncInput {}

    /** EOSE, after all events of the page have been stored or refused. */
    record PageEnded(Instant at, RelayUrl relay, String subscription, PageResult page, Hint hint)
            implements SyncInput {}

    /** New events keep coming on a subscription whose EOSE has not come; told now and then, not for each event. */
    record Progressed(Instant at, RelayUrl relay, String subscription) implements SyncInput {}

    /**
     * What this relay sends is not read at the moment, or was not until now, because what it sent before is still under way
     * here; told now and then while a comparison waits for an answer.
     */
    record HeldBack(Instant at, RelayUrl relay) implements SyncInput {}

    /** CLOSED. */
    record Closed(Instant at, RelayUrl relay, String subscription, String message) implements SyncInput {}

    record Noticed(Instant at, RelayUrl relay, String message) implements SyncInput {}

    /** The first message of a comparison was sent: our own side has been read. */
    record ReconcileBegan(Instant at, RelayUrl relay, String session) implements SyncInput {}

    /**
     * A comparison ended: both differences are known.
     *
     * @param need ids the relay has and we lack, without those that are not wanted; oldest first
     * @param have how many of ours it lacks
     */
    record Reconciled(Instant at, RelayUrl relay, String session, List<EventId> need, int have) implements SyncInput {
        public Reconciled {
            need = List.copyOf(need);
        }

        @Override
        public String toString() {
            return "Reconciled[" + relay + " " + session + ": " + need.size() + " needed, " + have + " lacked]";
        }
    }

    /** A comparison ended without a result. */
    record ReconcileFailed(Instant at, RelayUrl relay, String session, ReconcileFailure why) implements SyncInput {}

    /** The answer to {@link SyncAction.Authenticate}. */
    record Authenticated(Instant at, RelayUrl relay, boolean accepted, String message) implements SyncInput {}

    // From the clock and the operator ------------------------------------------------------------------------------

    /** Time passed; whatever is due by now is done. Given at {@link SyncEngine#nextDue} or any time. */
    record Tick(Instant at) implements SyncInput {}

    /** Relays nobody needs any more may go (rule 12). */
    record CheckDisconnects(Instant at) implements SyncInput {}

    /** Connect now, whatever the backoff says. */
    record RetryNow(Instant at, RelayUrl relay) implements SyncInput {}

    /** Ask this relay for everything again. */
    record FreshSyncNow(Instant at, RelayUrl relay) implements SyncInput {}

    /** What the ledger remembers of relays; the first input after a start. */
    record Remembered(Instant at, List<RelayRecord> relays) implements SyncInput {
        public Remembered {
            relays = List.copyOf(relays);
        }
    }

    // What a self batch is made of ---------------------------------------------------------------------------------

    /**
     * A repository announcement (30617) that the own relay holds.
     *
     * @param relays in the announcement's order, normalised
     * @param references ids and addresses it names and the own relay lacks
     */
    record Announced(
            RepoAddress repo,
            EventId id,
            long createdAt,
            List<RelayUrl> relays,
            List<Reference> references,
            Optional<Instant> expires) {
        public Announced {
            relays = List.copyOf(relays);
            references = List.copyOf(references);
        }
    }

    /** A root event (1617, 1618, 1619, 1621) with all repositories it tags. */
    record Rooted(EventId id, List<RepoAddress> repos, List<Reference> references) {
        public Rooted {
            repos = List.copyOf(repos);
            references = List.copyOf(references);
        }
    }

    /** Something the own relay no longer holds. */
    sealed interface Removed {

        /** Announcements of this repository up to a second: deleted, expired or no longer listing this service. */
        record Repo(RepoAddress repo, long upToCreatedAt) implements Removed {}

        /** The announcement or root event with this id. */
        record Event(EventId id) implements Removed {}
    }
}
