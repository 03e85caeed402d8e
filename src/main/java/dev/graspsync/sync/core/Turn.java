package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import java.time.Instant;
import java.util.List;

/** What one step has at hand: the time, and where its actions go. */
record Turn(
        SyncSettings settings, Jitter jitter, Ids ids, Instant now, boolean ownRelayRead, List<SyncAction> actions) {

    /** Names of subscriptions, never used twice. */
    static final class Ids {

        private long last;

        String next(char layer) {
            return "gs-" + layer + ++last;
        }
    }

    void act(SyncAction action) {
        actions.add(action);
    }

    void report(RelayUrl relay, Finding finding) {
        actions.add(new SyncAction.Report(relay, now, finding));
    }

    long seconds(Instant at) {
        return Math.max(0, at.getEpochSecond());
    }
}
