package dev.graspsync.sync;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.Purpose;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/** Sync gaps that one subscription found (rule 28). One line tells of all since the last: a line each would be a flood. */
final class GapLog {

    private static final Logger LOG = Logger.getLogger(GapLog.class);
    private static final int NAMED = 3;

    private final RelayUrl relay;
    /** A fresh sync looks where both the live side and the catch-up had been: what it finds was missing for long. */
    private final boolean sustained;

    private final List<EventId> named = new ArrayList<>(0);
    private int count;

    GapLog(RelayUrl relay, Purpose purpose) {
        this.relay = relay;
        this.sustained = purpose == Purpose.FRESH_SYNC;
    }

    void found(EventId id) {
        count++;
        if (named.size() < NAMED) {
            named.add(id);
        }
    }

    /** Tells of those that were not told of yet. */
    void tell() {
        if (count == 0) {
            return;
        }
        LOG.logf(
                sustained ? Logger.Level.ERROR : Logger.Level.WARN,
                "%s: reading the history of %s found %d events that should have come live, among them %s",
                sustained ? "Sustained sync gap" : "Sync gap",
                relay,
                count,
                List.copyOf(named));
        count = 0;
        named.clear();
    }
}
