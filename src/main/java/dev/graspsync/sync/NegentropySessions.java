package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.NegentropySession.Next;
import dev.graspsync.sync.core.ReconcileFailure;
import dev.graspsync.sync.core.SyncAction;
import dev.graspsync.sync.core.SyncInput;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** One connection's comparisons (NIP-77). Lives on its event loop; sets are read and compared on workers. */
final class NegentropySessions {

    private static final Logger LOG = Logger.getLogger(NegentropySessions.class);

    /** One session, and whether a worker is at it. */
    private static final class Open {

        final NegentropySession session;
        boolean busy;
        boolean sent;

        Open(NegentropySession session) {
            this.session = session;
        }
    }

    private final RelayUrl relay;
    private final RelayConnection connection;
    private final NegentropySets sets;
    private final NegentropyCounters counters;
    private final InstantSource clock;
    private final Consumer<SyncInput> engine;
    private final Consumer<List<EventId>> lacked;
    private final Map<String, Open> open = new HashMap<>();

    /** @param lacked is told what the relay lacks, where that was asked for */
    NegentropySessions(
            RelayUrl relay,
            RelayConnection connection,
            NegentropySets sets,
            NegentropyCounters counters,
            InstantSource clock,
            Consumer<SyncInput> engine,
            Consumer<List<EventId>> lacked) {
        this.relay = relay;
        this.connection = connection;
        this.sets = sets;
        this.counters = counters;
        this.clock = clock;
        this.engine = engine;
        this.lacked = lacked;
    }

    void open(SyncAction.Reconcile action) {
        String id = action.session();
        Open opened = new Open(new NegentropySession(action, sets));
        open.put(id, opened);
        work(id, opened, opened.session::open, message -> {
            opened.sent = true;
            counters.opened(send(new ClientMessage.NegOpen(id, action.filter(), message)));
            engine.accept(new SyncInput.ReconcileBegan(clock.instant(), relay, id));
        });
    }

    /**
     * NEG-MSG.
     *
     * @param length of all of it, as it came
     */
    void message(String id, NegentropyMessage message, int length) {
        counters.received(length);
        Open opened = open.get(id);
        if (opened == null) {
            return; // ended meanwhile
        }
        if (opened.busy) {
            fail(id, new ReconcileFailure.Broken("it answers what was not asked"));
            return;
        }
        engine.accept(new SyncInput.Progressed(clock.instant(), relay, id));
        work(
                id,
                opened,
                () -> opened.session.answer(message),
                next -> counters.sent(send(new ClientMessage.NegMsg(id, next))));
    }

    /** NEG-ERR, and CLOSED, which some relays say instead. Whether it was about a comparison. */
    boolean refused(String id, String reason, OptionalLong cap) {
        Open opened = open.get(id);
        if (opened == null) {
            return false;
        }
        end(id);
        tell(id, new ReconcileFailure.Refused(FailureReason.line(reason), cap, opened.session.middle()));
        return true;
    }

    /** What came for it that is no message. */
    void malformed(String id, String why) {
        if (open.containsKey(id)) {
            fail(id, new ReconcileFailure.Broken(why));
        }
    }

    /** Whether the relay owes an answer. */
    boolean areWaiting() {
        return open.values().stream().anyMatch(opened -> opened.sent && !opened.busy);
    }

    /** The engine wants no more of it; whether there was one. */
    boolean close(String id) {
        if (!open.containsKey(id)) {
            return false;
        }
        closeAndEnd(id);
        return true;
    }

    /** The connection is gone. */
    void clear() {
        List.copyOf(open.keySet()).forEach(this::end);
    }

    private void work(String id, Open opened, Supplier<Next> work, Consumer<NegentropyMessage> sender) {
        opened.busy = true;
        sets.execute(() -> {
            Next next = next(work);
            connection.onLoop(() -> {
                opened.busy = false;
                if (open.get(id) == opened) {
                    take(id, next, sender);
                } else {
                    opened.session.end(); // ended while the worker was at it
                }
            });
        });
    }

    private Next next(Supplier<Next> work) {
        try {
            return work.get();
        } catch (RuntimeException failure) {
            LOG.errorf(failure, "Comparing with %s failed", relay);
            return new Next.Failed(new ReconcileFailure.Failed("the own store failed"));
        }
    }

    private void take(String id, Next next, Consumer<NegentropyMessage> sender) {
        switch (next) {
            case Next.Send(NegentropyMessage message) -> sender.accept(message);
            case Next.Done(var need, int claimed, var have, int haveCount) -> {
                counters.found(claimed, haveCount);
                closeAndEnd(id);
                engine.accept(new SyncInput.Reconciled(clock.instant(), relay, id, need, haveCount));
                if (!have.isEmpty()) {
                    lacked.accept(have);
                }
            }
            case Next.Failed(ReconcileFailure why) -> fail(id, why);
        }
    }

    private void fail(String id, ReconcileFailure why) {
        closeAndEnd(id);
        tell(id, why);
    }

    private void tell(String id, ReconcileFailure why) {
        engine.accept(new SyncInput.ReconcileFailed(clock.instant(), relay, id, why));
    }

    private void closeAndEnd(String id) {
        Open opened = open.get(id);
        if (opened != null && opened.sent) {
            counters.closed(send(new ClientMessage.NegClose(id)));
        }
        end(id);
    }

    private void end(String id) {
        Open opened = open.remove(id);
        if (opened != null && !opened.busy) {
            opened.session.end();
        }
    }

    /** The length of what is sent. */
    private int send(ClientMessage message) {
        return connection.send(message);
    }
}
