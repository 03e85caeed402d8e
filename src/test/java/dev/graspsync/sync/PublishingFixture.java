package dev.graspsync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.wire.ClientMessageReader;
import dev.graspsync.wire.EventJson;
import dev.graspsync.wire.ReadResult;
import dev.graspsync.wire.RelayMessageWriter;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A relay on loopback that answers as a test says, and what publishes to it. */
abstract class PublishingFixture {

    static final RelayUrl ELSEWHERE = RelayUrl.parse("wss://elsewhere.example").orElseThrow();

    @Inject
    Relay own;

    @Inject
    HealthTracker health;

    @Inject
    Vertx vertx;

    private HttpServer server;
    OwnRelayPublisher publisher;
    final Set<EventId> accepted = ConcurrentHashMap.newKeySet();
    final Map<EventId, Integer> offers = new ConcurrentHashMap<>();
    volatile Function<Event, RelayMessage.@Nullable Ok> answer = this::accept;
    volatile Predicate<Event> hangsUpAt = event -> false;
    volatile boolean authenticated;
    /** The publisher's clock goes before the others by so much. */
    volatile Duration ahead = Duration.ZERO;

    @BeforeEach
    void aRelayThatAnswers() throws Exception {
        server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        health.published(url(), Published.upTo(own.store().lastSeq()));
        publisher = publisher();
    }

    OwnRelayPublisher publisher() {
        return new OwnRelayPublisher(
                url(),
                new RelayConnector(vertx, new TargetRules(true), ConnectionLimits.DEFAULTS, InstantSource.system()),
                own.store(),
                health,
                vertx,
                () -> Instant.now().plus(ahead),
                Duration.ofMillis(200),
                (relay, challenge) -> TestKeys.BOB.sign(22_242, 1_000, List.of(), challenge));
    }

    @AfterEach
    void stop() throws Exception {
        publisher.stop();
        server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    RelayUrl url() {
        return RelayUrl.parse("ws://127.0.0.1:" + server.actualPort()).orElseThrow();
    }

    RelayMessage.Ok accept(Event event) {
        accepted.add(event.id());
        return new RelayMessage.Ok(event.id(), true, "");
    }

    private void handle(HttpServerRequest request) {
        if (request.getHeader("Upgrade") == null) {
            request.response().setStatusCode(404).end();
            return;
        }
        request.toWebSocket().onSuccess(socket -> {
            socket.textMessageHandler(text -> onText(socket, text));
            send(socket, new RelayMessage.Auth("who is there"));
        });
    }

    private void onText(ServerWebSocket socket, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        if (!(ClientMessageReader.read(bytes, 0, bytes.length)
                instanceof ReadResult.Message<ClientMessage>(ClientMessage message))) {
            return;
        }
        if (message instanceof ClientMessage.Auth(Event event)) {
            authenticated = true;
            send(socket, new RelayMessage.Ok(event.id(), true, ""));
        } else if (message instanceof ClientMessage.Event(Event event)) {
            offers.merge(event.id(), 1, Integer::sum);
            RelayMessage.Ok ok = answer.apply(event);
            if (hangsUpAt.test(event)) {
                socket.close();
            } else if (ok != null) {
                send(socket, ok);
            }
        }
    }

    private static void send(ServerWebSocket socket, RelayMessage message) {
        socket.writeTextMessage(new String(RelayMessageWriter.write(message), UTF_8));
    }

    Event stored(String content, Provenance from) {
        Event event = TestKeys.ALICE.sign(1, 1_000, List.of(), content + System.nanoTime());
        try (WriteBatch batch = own.store().begin()) {
            batch.save(EventJson.encode(event), 1, from, 1_000);
            batch.commit();
        }
        return event;
    }
}
