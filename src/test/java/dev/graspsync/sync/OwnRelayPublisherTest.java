package dev.graspsync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.Provenance.Way;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.wire.ClientMessageReader;
import dev.graspsync.wire.EventJson;
import dev.graspsync.wire.ReadResult;
import dev.graspsync.wire.RelayMessageWriter;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sidecar mode: what other relays had is published to the own one, whatever it answers first. */
@QuarkusTest
class OwnRelayPublisherTest {

    private static final RelayUrl ELSEWHERE =
            RelayUrl.parse("wss://elsewhere.example").orElseThrow();

    @Inject
    Relay own;

    @Inject
    HealthTracker health;

    @Inject
    Vertx vertx;

    private HttpServer server;
    private OwnRelayPublisher publisher;
    private final Set<EventId> accepted = ConcurrentHashMap.newKeySet();
    private final Map<EventId, Integer> offers = new ConcurrentHashMap<>();
    private Function<Event, RelayMessage.Ok> answer = this::accept;

    @BeforeEach
    void aRelayThatAnswers() throws Exception {
        server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        health.publishedUpTo(url(), own.store().lastSeq());
        publisher = new OwnRelayPublisher(
                url(),
                new RelayConnector(vertx, new TargetRules(true), ConnectionLimits.DEFAULTS, InstantSource.system()),
                own.store(),
                health,
                vertx,
                InstantSource.system(),
                Duration.ofMillis(200),
                (relay, challenge) -> {
                    throw new AssertionError("not asked for");
                });
    }

    @AfterEach
    void stop() throws Exception {
        publisher.stop();
        server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private RelayUrl url() {
        return RelayUrl.parse("ws://127.0.0.1:" + server.actualPort()).orElseThrow();
    }

    private RelayMessage.Ok accept(Event event) {
        accepted.add(event.id());
        return new RelayMessage.Ok(event.id(), true, "");
    }

    private void handle(HttpServerRequest request) {
        if (request.getHeader("Upgrade") == null) {
            request.response().setStatusCode(404).end();
            return;
        }
        request.toWebSocket().onSuccess(socket -> socket.textMessageHandler(text -> onText(socket, text)));
    }

    private void onText(ServerWebSocket socket, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        if (ClientMessageReader.read(bytes, 0, bytes.length)
                        instanceof ReadResult.Message<ClientMessage>(ClientMessage message)
                && message instanceof ClientMessage.Event(Event event)) {
            offers.merge(event.id(), 1, Integer::sum);
            socket.writeTextMessage(new String(RelayMessageWriter.write(answer.apply(event)), UTF_8));
        }
    }

    private Event stored(String content, Provenance from) {
        Event event = TestKeys.ALICE.sign(1, 1_000, List.of(), content + System.nanoTime());
        try (WriteBatch batch = own.store().begin()) {
            batch.save(EventJson.encode(event), 1, from, 1_000);
            batch.commit();
        }
        return event;
    }

    @Test
    void whatCameFromElsewhereIsPublishedAndWhatCameFromTheOwnRelayIsNot() {
        Event back = stored("own", Provenance.from(url(), Way.LIVE));
        Event found = stored("found", Provenance.from(ELSEWHERE, Way.CATCH_UP));

        publisher.start();

        await().until(() -> accepted.contains(found.id()));
        assertThat(offers).doesNotContainKey(back.id());
    }

    @Test
    void aRateLimitIsWaitedForAndTheEventSentAgain() {
        AtomicInteger refusals = new AtomicInteger();
        answer = event -> refusals.getAndIncrement() < 2
                ? new RelayMessage.Ok(event.id(), false, "rate-limited: slow down")
                : accept(event);
        Event found = stored("limited", Provenance.from(ELSEWHERE, Way.LIVE));

        publisher.start();

        await().atMost(Duration.ofSeconds(20)).until(() -> accepted.contains(found.id()));
        assertThat(offers.get(found.id())).isGreaterThanOrEqualTo(2);
    }

    @Test
    void whatIsRefusedForGoodDoesNotHoldUpTheRest() {
        answer = event -> event.content().startsWith("bad")
                ? new RelayMessage.Ok(event.id(), false, "blocked: not here")
                : accept(event);
        Event refused = stored("bad", Provenance.from(ELSEWHERE, Way.LIVE));
        Event found = stored("good", Provenance.from(ELSEWHERE, Way.LIVE));

        publisher.start();

        await().until(() -> accepted.contains(found.id()));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> health.publishedUpTo(url()) >= own.store().lastSeq());
        assertThat(offers.get(refused.id())).isEqualTo(1);
        assertThat(publisher.refusal(refused.id()))
                .hasValueSatisfying(refusal -> assertThat(refusal.why()).isEqualTo("blocked: not here"));
        assertThat(publisher.refusal(found.id())).isEmpty();
        assertThat(publisher.refused()).isEqualTo(1);
    }
}
