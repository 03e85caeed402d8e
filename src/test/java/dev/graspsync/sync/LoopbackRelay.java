package dev.graspsync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.wire.ClientMessageReader;
import dev.graspsync.wire.ReadResult;
import dev.graspsync.wire.RelayMessageWriter;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A relay on loopback that holds what it is given and hands out a capped number of events a filter. */
final class LoopbackRelay implements AutoCloseable {

    private static final Comparator<Event> NEWEST_FIRST =
            Comparator.comparingLong(Event::createdAt).reversed().thenComparing(Event::id);

    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final Map<ServerWebSocket, Map<String, List<Filter>>> clients = new ConcurrentHashMap<>();
    private final int cap;
    private final HttpServer server;
    private final AtomicInteger sent = new AtomicInteger();
    private volatile boolean endless;
    final List<ClientMessage.Req> requests = new CopyOnWriteArrayList<>();
    final List<ClientMessage.Auth> auths = new CopyOnWriteArrayList<>();

    LoopbackRelay(Vertx vertx, int cap) throws Exception {
        this.cap = cap;
        // Not by webSocketHandler, which does nothing in a JVM in which Quarkus has run.
        this.server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    RelayUrl url() {
        return RelayUrl.parse("ws://127.0.0.1:" + server.actualPort()).orElseThrow();
    }

    /** Holds an event and sends it to whoever listens. */
    void add(Event event) {
        events.add(event);
        clients.forEach((socket, subscriptions) -> subscriptions.forEach((id, filters) -> {
            if (filters.stream().anyMatch(filter -> filter.matches(event))) {
                send(socket, new RelayMessage.Event(id, event));
            }
        }));
    }

    /** Holds events that are only asked for later. */
    void hold(List<Event> more) {
        events.addAll(more);
    }

    Set<ServerWebSocket> clients() {
        return clients.keySet();
    }

    /** Sends no EOSE any more. */
    void endless() {
        endless = true;
    }

    /** Events that left for a socket's buffer. */
    int sent() {
        return sent.get();
    }

    private void handle(HttpServerRequest request) {
        if (request.getHeader("Upgrade") == null) {
            request.response().setStatusCode(404).end();
            return;
        }
        request.toWebSocket().onSuccess(socket -> {
            clients.put(socket, new ConcurrentHashMap<>());
            socket.textMessageHandler(text -> onText(socket, text));
            socket.closeHandler(none -> clients.remove(socket));
        });
    }

    private void onText(ServerWebSocket socket, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        if (ClientMessageReader.read(bytes, 0, bytes.length)
                instanceof ReadResult.Message<ClientMessage>(ClientMessage message)) {
            switch (message) {
                case ClientMessage.Req req -> {
                    requests.add(req);
                    clients.getOrDefault(socket, new ConcurrentHashMap<>()).put(req.subscriptionId(), req.filters());
                    answer(socket, req);
                }
                case ClientMessage.Close(String id) ->
                    clients.getOrDefault(socket, new ConcurrentHashMap<>()).remove(id);
                case ClientMessage.Auth auth -> auths.add(auth);
                default -> {}
            }
        }
    }

    /** To everybody. */
    void say(RelayMessage message) {
        clients.keySet().forEach(socket -> send(socket, message));
    }

    private void answer(ServerWebSocket socket, ClientMessage.Req req) {
        List<Event> found = req.filters().stream()
                .flatMap(filter -> events.stream()
                        .filter(filter::matches)
                        .sorted(NEWEST_FIRST)
                        .limit(Math.min(cap, filter.limit().orElse(cap))))
                .distinct()
                .toList();
        sendFrom(socket, req.subscriptionId(), found, 0);
    }

    /** As much as the socket takes; the rest when it has drained. */
    private void sendFrom(ServerWebSocket socket, String id, List<Event> found, int from) {
        for (int i = from; i < found.size(); i++) {
            if (socket.writeQueueFull()) {
                int rest = i;
                socket.drainHandler(none -> sendFrom(socket, id, found, rest));
                return;
            }
            sent.incrementAndGet();
            socket.writeTextMessage(
                    new String(RelayMessageWriter.write(new RelayMessage.Event(id, found.get(i))), UTF_8));
        }
        if (!endless) {
            send(socket, new RelayMessage.Eose(id, RelayMessage.Hint.NONE));
        }
    }

    private static void send(ServerWebSocket socket, RelayMessage message) {
        if (!socket.isClosed()) {
            socket.writeTextMessage(new String(RelayMessageWriter.write(message), UTF_8));
        }
    }

    @Override
    public void close() throws Exception {
        server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
