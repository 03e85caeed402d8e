package dev.graspsync.sync.core;

import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayUrl;
import java.time.Instant;

/** What is to be done. Actions of one step are carried out in their order; none of them waits for another. */
public sealed interface SyncAction {

    RelayUrl relay();

    /** Answered by {@link SyncInput.Opened} or {@link SyncInput.OpenFailed}. */
    record Connect(RelayUrl relay) implements SyncAction {}

    /** Closes the connection for good; no {@link SyncInput.Lost} follows. */
    record Disconnect(RelayUrl relay, String why) implements SyncAction {}

    /**
     * Sends a REQ with the page's filters. Answered by {@link SyncInput.PageEnded}, {@link SyncInput.Closed} or the loss
     * of the connection; where nothing comes, the engine's own deadline ends it.
     */
    record Subscribe(RelayUrl relay, String subscription, PageRequest page, Purpose purpose) implements SyncAction {}

    /**
     * Compares what matches a filter on both sides (NIP-77, rule 17). Answered by {@link SyncInput.Reconciled}, {@link
     * SyncInput.ReconcileFailed} or the loss of the connection.
     *
     * @param session its name; no subscription has the same
     * @param frameLimit the most bytes of a message of ours
     * @param most the most ids the relay may have beyond ours
     * @param push whether what the relay lacks is published to it (rule 23)
     */
    record Reconcile(RelayUrl relay, String session, Filter filter, int frameLimit, Most most, boolean push)
            implements SyncAction {

        /** So many, and a share of ours: beyond it, other ways of asking cost less. */
        public record Most(int atLeast, int percentOfOurs, int atMost) {

            public int of(int ours) {
                return (int) Math.min(atMost, Math.max(atLeast, (long) ours * percentOfOurs / 100));
            }
        }
    }

    /** Ends a subscription or a comparison; nothing more is told of this subscription. */
    record Unsubscribe(RelayUrl relay, String subscription) implements SyncAction {}

    /** Signs the relay's last challenge (NIP-42); where it sent none, the answer is that it was not accepted. */
    record Authenticate(RelayUrl relay) implements SyncAction {}

    /** Keeps what was learned of the relay (rule 25). */
    record Remember(RelayUrl relay, RelayRecord record) implements SyncAction {}

    /** Forgets the relay: nobody names it any more. */
    record Forget(RelayUrl relay) implements SyncAction {}

    /** Something an operator may want to know of: for the log and the metrics. */
    record Report(RelayUrl relay, Instant at, Finding finding) implements SyncAction {}
}
