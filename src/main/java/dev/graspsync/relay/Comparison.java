package dev.graspsync.relay;

import dev.graspsync.negentropy.NegentropyServer;
import dev.graspsync.negentropy.SealedSet;
import dev.graspsync.negentropy.ServerStep;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One NIP-77 session: the events a filter matched when it was opened, and the answers to the client's messages about
 * them. What is committed later is not in it; live subscriptions are for that. Used by one thread at a time.
 */
final class Comparison {

    /** In bytes; twice as many as hex. Clients with a limit of 128 KiB a message can read it. */
    private static final int FRAME = 60_000;

    private static final int TAKEN_AT_ONCE = 10_000;

    private final String id;
    private final Filter filter;
    private final int most;
    private final SharedRoom.Share room;
    private @Nullable NegentropyServer server;
    private long places;
    private boolean ended;

    Comparison(String id, Filter filter, int most, SharedRoom.Share room) {
        this.id = id;
        this.filter = filter;
        this.most = most;
        this.room = room;
    }

    /** Answers a message, the first one after reading the store. May block. A NEG-ERR ends the session. */
    synchronized RelayMessage answer(EventStore store, NegentropyMessage message, Instant now) {
        if (server == null) {
            RelayMessage refusal = read(store, now);
            if (refusal != null) {
                return refusal;
            }
        }
        NegentropyServer open = server;
        if (open == null || ended) {
            return error(Prefix.ERROR.with("the session has ended"), OptionalLong.empty());
        }
        return switch (open.reconcile(message.bytes())) {
            case ServerStep.Reply(byte[] reply) -> new RelayMessage.NegMsg(id, new NegentropyMessage(reply));
            case ServerStep.Failed(var failure) -> error(Prefix.INVALID.with(failure.toString()), OptionalLong.empty());
        };
    }

    /** Null where the set is ready. */
    private @Nullable RelayMessage read(EventStore store, Instant now) {
        SealedSet.Builder set = SealedSet.builder(TAKEN_AT_ONCE);
        try (EventCursor cursor = store.query(List.of(filter), most + 1, now.getEpochSecond())) {
            int count = 0;
            for (StoredEvent event = cursor.next(); event != null; event = cursor.next()) {
                if (count == most) {
                    return error(Prefix.BLOCKED.with("too many query results"), OptionalLong.of(most));
                }
                if (count++ == places && !takePlaces()) {
                    return error(
                            Prefix.RATE_LIMITED.with("too many comparisons, try again later"), OptionalLong.empty());
                }
                EventId event32 = event.id();
                set.add(event.createdAt(), event32.a(), event32.b(), event32.c(), event32.d());
            }
        }
        server = new NegentropyServer(set.seal(), FRAME);
        return null;
    }

    private boolean takePlaces() {
        if (ended || !room.take(TAKEN_AT_ONCE)) {
            return false;
        }
        places += TAKEN_AT_ONCE;
        return true;
    }

    RelayMessage error(String reason, OptionalLong cap) {
        return new RelayMessage.NegErr(id, reason, cap);
    }

    /** Frees its memory. */
    synchronized void end() {
        ended = true;
        server = null;
        room.giveBack(places);
        places = 0;
    }
}
