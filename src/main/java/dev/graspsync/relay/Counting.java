package dev.graspsync.relay;

import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.store.EventStore;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * One connection's COUNTs (NIP-45), one at a time; few of all connections together, because each may look at a million
 * events and what is live must not wait for it.
 */
final class Counting {

    private static final Logger LOG = Logger.getLogger(Counting.class);

    private final EventStore store;
    private final Executor inTurn;
    private final BooleanSupplier gone;

    /** @param gone whether the connection has ended */
    Counting(Relay relay, BooleanSupplier gone) {
        this.store = relay.store();
        this.inTurn = new FewAtOnce(relay.counters(), 1);
        this.gone = gone;
    }

    /** @param answered hears the answer on a worker; always, also when nobody is there to take it */
    void count(String id, List<Filter> filters, Consumer<RelayMessage> answered) {
        inTurn.execute(() -> answered.accept(answer(id, filters)));
    }

    private RelayMessage answer(String id, List<Filter> filters) {
        if (gone.getAsBoolean()) {
            return new RelayMessage.Closed(id, Prefix.ERROR.with("nobody waits for it"));
        }
        try {
            EventCount counted = EventCount.of(store, filters, Instant.now(), EventCount.MOST);
            return new RelayMessage.Count(id, counted.count(), counted.approximate());
        } catch (RuntimeException failure) {
            LOG.errorf(failure, "Counting for %s failed", id);
            return new RelayMessage.Closed(id, Prefix.ERROR.with("the store failed"));
        }
    }
}
