package dev.graspsync.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.wire.ClientMessageReader;
import dev.graspsync.wire.ReadResult;
import dev.graspsync.wire.RelayMessageWriter;
import io.vertx.core.Context;
import io.vertx.core.http.ServerWebSocket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jboss.logging.Logger;

/**
 * One client. Its state is touched on its event loop only; what reads the store runs on workers, one piece at a time,
 * and goes on when the socket has taken the piece before. A slow reader therefore holds a piece in memory, no more.
 */
final class RelaySession {

    private static final Logger LOG = Logger.getLogger(RelaySession.class);
    private static final int PIECE = 256;
    /** Events under way to the store before the socket is no longer read. */
    private static final int IN_FLIGHT = 1_024;

    private final Relay relay;
    private final ServerWebSocket socket;
    private final Context context;
    private final RelayConfig.Limits limits;
    private final Map<String, Subscription> subscriptions = new LinkedHashMap<>();
    private final List<Subscription> ended = new ArrayList<>();
    private boolean pumping;
    private boolean wanted;
    private boolean closed;
    private int inFlight;

    RelaySession(Relay relay, ServerWebSocket socket, Context context) {
        this.relay = relay;
        this.socket = socket;
        this.context = context;
        this.limits = relay.config().relay();
    }

    void start() {
        relay.add(this);
        socket.textMessageHandler(this::onText);
        socket.binaryMessageHandler(binary -> notice(Prefix.INVALID.with("binary messages are not understood")));
        socket.exceptionHandler(failure -> LOG.debugf("Connection to %s: %s", socket.remoteAddress(), failure));
        socket.closeHandler(none -> onClose());
    }

    private void onClose() {
        closed = true;
        relay.remove(this);
        ended.addAll(subscriptions.values());
        subscriptions.clear();
        pump();
    }

    private void onText(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        if (bytes.length > limits.maxMessageLength()) {
            notice(Prefix.INVALID.with(
                    "a message of " + bytes.length + " bytes; the limit is " + limits.maxMessageLength()));
            return;
        }
        switch (ClientMessageReader.read(bytes, 0, bytes.length)) {
            case ReadResult.Message<ClientMessage>(ClientMessage message) -> onMessage(message);
            case ReadResult.Malformed<ClientMessage> malformed -> onMalformed(malformed);
        }
    }

    private void onMalformed(ReadResult.Malformed<ClientMessage> malformed) {
        String reason = Prefix.INVALID.with(malformed.reason());
        if (malformed.eventId().isPresent()) {
            send(new RelayMessage.Ok(malformed.eventId().get(), false, reason));
        } else if (malformed.subscriptionId().isPresent()) {
            send(new RelayMessage.Closed(malformed.subscriptionId().get(), reason));
        } else if (malformed.negentropyId().isPresent()) {
            negErr(malformed.negentropyId().get(), reason);
        } else {
            notice(reason);
        }
    }

    private void onMessage(ClientMessage message) {
        switch (message) {
            case ClientMessage.Event(Event event) -> onEvent(event);
            case ClientMessage.Req(String id, List<Filter> filters) -> onReq(id, filters);
            case ClientMessage.Count(String id, List<Filter> filters) -> onCount(id, filters);
            case ClientMessage.Close(String id) -> onClose(id);
            case ClientMessage.NegOpen(String id, var _, var _) ->
                negErr(id, Prefix.UNSUPPORTED.with("no negentropy here yet"));
            case ClientMessage.NegMsg(String id, var _) ->
                negErr(id, Prefix.UNSUPPORTED.with("no negentropy here yet"));
            case ClientMessage.NegClose _ -> {}
            case ClientMessage.Auth(Event event) ->
                send(new RelayMessage.Ok(
                        event.id(), false, Prefix.UNSUPPORTED.with("this relay asks nobody to authenticate")));
        }
    }

    private void onEvent(Event event) {
        if (event.isProtected()) {
            answer(
                    event,
                    IngestResult.refused(
                            Prefix.RESTRICTED.with("a protected event is taken from its authenticated author only")));
            return;
        }
        boolean taken = relay.ingest().offer(event, result -> context.runOnContext(none -> onDone(event, result)));
        if (!taken) {
            answer(event, IngestResult.refused(Prefix.RATE_LIMITED.with("the relay is busy, try again later")));
        } else if (++inFlight == IN_FLIGHT) {
            socket.pause();
        }
    }

    private void onDone(Event event, IngestResult result) {
        if (inFlight-- == IN_FLIGHT && !closed) {
            socket.resume();
        }
        answer(event, result);
    }

    private void answer(Event event, IngestResult result) {
        send(new RelayMessage.Ok(event.id(), result.accepted(), result.message()));
    }

    private void onReq(String id, List<Filter> filters) {
        if (isRefused(id, filters)) {
            return;
        }
        if (!subscriptions.containsKey(id) && subscriptions.size() >= limits.maxSubscriptions()) {
            send(new RelayMessage.Closed(
                    id, Prefix.ERROR.with("too many subscriptions; the limit is " + limits.maxSubscriptions())));
            return;
        }
        Subscription replaced = subscriptions.put(id, new Subscription(id, filters));
        if (replaced != null) {
            ended.add(replaced);
        }
        pump();
    }

    private boolean isRefused(String id, List<Filter> filters) {
        String reason = null;
        if (id.isEmpty() || id.length() > limits.maxSubidLength()) {
            reason = "a subscription id has 1 to " + limits.maxSubidLength() + " characters";
        } else if (filters.isEmpty()) {
            reason = "no filter";
        } else if (filters.size() > limits.maxFilters()) {
            reason = "too many filters; the limit is " + limits.maxFilters();
        }
        if (reason != null) {
            send(new RelayMessage.Closed(id, Prefix.INVALID.with(reason)));
        }
        return reason != null;
    }

    private void onClose(String id) {
        Subscription closing = subscriptions.remove(id);
        if (closing != null) {
            ended.add(closing);
            pump();
        }
    }

    private void onCount(String id, List<Filter> filters) {
        if (isRefused(id, filters)) {
            return;
        }
        relay.workers().execute(() -> {
            long count = 0;
            try (EventCursor cursor = relay.store().query(filters, Integer.MAX_VALUE, now())) {
                while (cursor.next() != null) {
                    count++;
                }
            }
            RelayMessage answer = new RelayMessage.Count(id, count);
            context.runOnContext(none -> send(answer));
        });
    }

    /** New events were committed. Called on any thread. */
    void wake() {
        context.runOnContext(none -> pump());
    }

    private void pump() {
        wanted = true;
        if (pumping || socket.isClosed() && ended.isEmpty()) {
            return;
        }
        wanted = false;
        pumping = true;
        List<Subscription> ending = List.copyOf(ended);
        ended.clear();
        Map<String, Subscription> open = new LinkedHashMap<>(subscriptions);
        relay.workers().execute(() -> {
            List<Piece> pieces = new ArrayList<>();
            boolean more;
            try {
                ending.forEach(Subscription::close);
                more = read(open, pieces);
            } catch (RuntimeException failure) {
                LOG.errorf(failure, "Reading for %s failed", socket.remoteAddress());
                context.runOnContext(none -> socket.close((short) 1011, "the store failed"));
                return;
            }
            boolean goOn = more;
            context.runOnContext(none -> deliver(pieces, goOn));
        });
    }

    private record Piece(String id, Subscription subscription, List<byte[]> messages) {}

    /** Reads the next piece for each subscription; returns whether there is more to read at once. */
    private boolean read(Map<String, Subscription> open, List<Piece> pieces) {
        boolean more = false;
        List<Subscription> live = new ArrayList<>();
        List<Piece> livePieces = new ArrayList<>();
        long from = Long.MAX_VALUE;
        for (Map.Entry<String, Subscription> entry : open.entrySet()) {
            Subscription subscription = entry.getValue();
            Piece piece = new Piece(entry.getKey(), subscription, new ArrayList<>());
            pieces.add(piece);
            if (subscription.isLive()) {
                live.add(subscription);
                livePieces.add(piece);
                from = Math.min(from, subscription.seenSeq() + 1);
            } else {
                subscription.readStored(relay.store(), limits.maxLimit(), now(), PIECE, piece.messages());
                more = true;
            }
        }
        if (!live.isEmpty()) {
            List<StoredEvent> tail = relay.store().tail(from, PIECE);
            for (StoredEvent event : tail) {
                for (int i = 0; i < live.size(); i++) {
                    live.get(i).readLive(event, livePieces.get(i).messages());
                }
            }
            more |= tail.size() == PIECE;
        }
        return more;
    }

    private void deliver(List<Piece> pieces, boolean more) {
        pumping = false;
        if (socket.isClosed()) {
            ended.addAll(subscriptions.values());
            subscriptions.clear();
            if (!ended.isEmpty()) {
                pump();
            }
            return;
        }
        for (Piece piece : pieces) {
            if (subscriptions.get(piece.id()) == piece.subscription()) {
                piece.messages().forEach(this::sendBytes);
            }
        }
        if (more || wanted) {
            if (socket.writeQueueFull()) {
                pumping = true;
                socket.drainHandler(none -> {
                    socket.drainHandler(null);
                    pumping = false;
                    pump();
                });
            } else {
                pump();
            }
        }
    }

    private void negErr(String id, String reason) {
        send(new RelayMessage.NegErr(id, reason, OptionalLong.empty()));
    }

    private void notice(String message) {
        send(new RelayMessage.Notice(message));
    }

    private void send(RelayMessage message) {
        sendBytes(RelayMessageWriter.write(message));
    }

    private void sendBytes(byte[] message) {
        if (!socket.isClosed()) {
            socket.writeTextMessage(new String(message, UTF_8));
        }
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }
}
