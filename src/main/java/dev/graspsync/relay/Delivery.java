package dev.graspsync.relay;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.relay.Subscription.Piece;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import io.vertx.core.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection's subscriptions and what they are sent. Its state is touched on the event loop only; workers read the
 * store, one batch ahead of what the socket takes. A slow reader therefore costs its socket's queue and a batch.
 */
final class Delivery {

    private static final int BATCH_BYTES = 256 << 10;
    private static final int BATCH_OF_LOG = 256;
    /** Stored parts that are open in the store at once; more wait until one of them ends. */
    private static final int OPEN_AT_ONCE = 32;
    /** A stored part keeps the index as it was when it began, so it has to end; in reader timeouts. */
    private static final int PATIENCE = 10;

    private final Outbound out;
    private final EventStore store;
    private final LiveTail tail;
    private final Executor workers;
    private final Context context;
    private final int maxLimit;
    private final Duration longest;
    private final SharedRoom.Share room;
    private final Consumer<RuntimeException> failed;

    private final Map<String, Subscription> open = new LinkedHashMap<>();
    /** Those whose stored part is not read to its end; who waits longest is first. */
    private final Deque<Subscription> unread = new ArrayDeque<>();

    /** What a worker is reading for; what of it ends meanwhile is let go when the worker is done. */
    private List<Subscription> atWorker = List.of();

    private final List<Subscription> ended = new ArrayList<>();
    private @Nullable Batch held;
    private boolean reading;
    private boolean closed;

    /**
     * @param room what open filters are charged to
     * @param failed hears that the store could not be read; nothing is delivered after that
     */
    Delivery(Relay relay, Outbound out, Context context, SharedRoom.Share room, Consumer<RuntimeException> failed) {
        this.out = out;
        this.store = relay.store();
        this.tail = relay.sessions().tail();
        this.workers = relay.workers();
        this.context = context;
        this.maxLimit = relay.config().relay().maxLimit();
        this.longest = relay.config().relay().readerTimeout().multipliedBy(PATIENCE);
        this.room = room;
        this.failed = failed;
    }

    boolean isOpen(String id) {
        return open.containsKey(id);
    }

    int size() {
        return open.size();
    }

    /**
     * Opens a subscription; one with the same id ends.
     *
     * @param cost of its filters, in bytes
     * @return false where there is no room for it
     */
    boolean open(String id, List<Filter> filters, long cost) {
        end(id);
        if (!room.take(cost)) {
            return false;
        }
        Subscription subscription = new Subscription(id, filters, cost);
        open.put(id, subscription);
        unread.add(subscription);
        pump();
        return true;
    }

    void end(String id) {
        Subscription ending = open.remove(id);
        if (ending != null) {
            unread.remove(ending);
            if (atWorker.contains(ending)) {
                ended.add(ending);
            } else {
                letGo(ending);
            }
            pump();
        }
    }

    /** The connection is closed: what is being read for it is let go. */
    void close() {
        closed = true;
        held = null;
        List.copyOf(open.keySet()).forEach(this::end);
    }

    /** Ends what is read too slowly, though not so slowly that the connection is cut off. */
    void expire() {
        for (Subscription subscription : List.copyOf(open.values())) {
            if (subscription.isReadLongerThan(longest)) {
                end(subscription.id());
                out.answer(new RelayMessage.Closed(
                        subscription.id(), Prefix.ERROR.with("too slow: ask for less, or for it in pieces")));
            }
        }
    }

    /** Sends what can be sent and reads what is to be read next; called whenever there may be more of either. */
    void pump() {
        Batch next = held;
        if (next != null && !out.isFull()) {
            held = null;
            read();
            send(next);
        }
        sendLive(tail.recent());
        read();
    }

    /** An event that is stored nowhere: who cannot take it now misses it. */
    void sendEphemeral(EncodedEvent event) {
        for (Subscription subscription : open.values()) {
            if (out.isFull()) {
                return;
            }
            if (subscription.isLive() && subscription.matches(event.event())) {
                out.send(subscription.message(event.json()));
            }
        }
    }

    /** What a worker read: pieces of stored parts, and perhaps a stretch of the log for those far behind. */
    private record Batch(List<Piece> pieces, LiveTail.@Nullable Log log) {}

    private void read() {
        LiveTail.Log recent = tail.recent();
        long next = nextLive();
        boolean behind = next < recent.from();
        if (reading || held != null || unread.isEmpty() && !behind) {
            return;
        }
        reading = true;
        List<Subscription> waiting = nextToRead();
        atWorker = waiting;
        workers.execute(() -> {
            try {
                Batch batch = new Batch(
                        readStored(waiting),
                        behind ? LiveTail.Log.of(next, store.tail(next, BATCH_OF_LOG, BATCH_BYTES)) : null);
                context.runOnContext(none -> onRead(batch));
            } catch (RuntimeException failure) {
                context.runOnContext(none -> {
                    workerIsDone();
                    failed.accept(failure);
                });
            }
        });
    }

    private List<Subscription> nextToRead() {
        long begun = unread.stream().filter(Subscription::isBegun).count();
        List<Subscription> next = new ArrayList<>();
        for (Subscription subscription : unread) {
            if (subscription.isBegun()) {
                next.add(subscription);
            } else if (begun < OPEN_AT_ONCE) {
                begun++;
                subscription.begin();
                next.add(subscription);
            }
        }
        return next;
    }

    private void workerIsDone() {
        atWorker = List.of();
        ended.forEach(this::letGo);
        ended.clear();
    }

    private void letGo(Subscription ended) {
        ended.closeStored();
        room.giveBack(ended.cost());
    }

    private List<Piece> readStored(List<Subscription> waiting) {
        long now = Instant.now().getEpochSecond();
        List<Piece> pieces = new ArrayList<>();
        int room = BATCH_BYTES;
        for (Subscription subscription : waiting) {
            if (room <= 0) {
                break;
            }
            Piece piece = subscription.readStored(store, maxLimit, now, room);
            pieces.add(piece);
            room -= piece.bytes();
        }
        return pieces;
    }

    private void onRead(Batch batch) {
        reading = false;
        workerIsDone();
        for (Piece piece : batch.pieces()) {
            if (unread.remove(piece.of()) && !piece.last()) {
                unread.addLast(piece.of());
            }
        }
        held = closed ? null : batch;
        pump();
    }

    private void send(Batch batch) {
        for (Piece piece : batch.pieces()) {
            if (open.get(piece.of().id()) == piece.of()) {
                piece.messages().forEach(out::send);
                if (piece.last()) {
                    piece.of().becomeLive(piece.lastSeq());
                }
            }
        }
        if (batch.log() != null) {
            sendLive(batch.log());
        }
    }

    /** The first seq that a live subscription has not seen. */
    private long nextLive() {
        return open.values().stream()
                .filter(Subscription::isLive)
                .mapToLong(subscription -> subscription.seenSeq() + 1)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Goes through the log until the socket is full. Each subscription knows how far it came; one for which events
     * before this stretch are still to be read is left out.
     */
    private void sendLive(LiveTail.Log log) {
        List<Subscription> live = open.values().stream()
                .filter(Subscription::isLive)
                .filter(one -> one.seenSeq() + 1 >= log.from() && one.seenSeq() < log.upTo())
                .toList();
        if (live.isEmpty()) {
            return;
        }
        for (StoredEvent event : log.since(nextLive())) {
            for (Subscription subscription : live) {
                if (event.seq() > subscription.seenSeq()) {
                    if (out.isFull()) {
                        return;
                    }
                    subscription.seen(event.seq());
                    if (subscription.matches(event)) {
                        out.send(subscription.message(event.json()));
                    }
                }
            }
        }
        live.forEach(subscription -> subscription.seen(log.upTo()));
    }
}
