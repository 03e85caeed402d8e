package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.frame;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.RecordingListener.Told;
import dev.graspsync.sync.core.RelayHints;
import dev.graspsync.wire.EventJson;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real sockets on loopback: what passes over an open connection, and how frames of all kinds end it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayConnectionTest extends ConnectionFixture {

    private static final class WellBehaved {
        final LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
        final LinkedBlockingQueue<ServerWebSocket> sockets = new LinkedBlockingQueue<>();
        final LinkedBlockingQueue<String> extensions = new LinkedBlockingQueue<>();
        final HttpServer server;

        WellBehaved(Vertx vertx) throws Exception {
            // Not by webSocketHandler, which does nothing in a JVM in which Quarkus has run.
            server = vertx.createHttpServer()
                    .requestHandler(this::handle)
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS);
        }

        private void handle(HttpServerRequest request) {
            if (request.getHeader("Upgrade") == null) {
                request.response()
                        .end("{\"limitation\":{\"max_limit\":500,\"max_subscriptions\":20,"
                                + "\"max_message_length\":70000}}");
                return;
            }
            extensions.add(String.valueOf(request.getHeader("Sec-WebSocket-Extensions")));
            request.toWebSocket().onSuccess(socket -> {
                socket.textMessageHandler(received::add);
                sockets.add(socket);
            });
        }

        RelayUrl url() {
            return RelayUrl.parse("ws://127.0.0.1:" + server.actualPort()).orElseThrow();
        }
    }

    @Test
    void carriesMessagesBothWaysInTheirOrder() throws Exception {
        WellBehaved relay = new WellBehaved(vertx);
        RelayConnection connection = connect(relay.url());

        RelayHints hints = listener.awaitOpened();
        assertThat(hints.maxLimit()).hasValue(500);
        assertThat(hints.maxSubscriptions()).hasValue(20);
        assertThat(hints.maxMessageLength()).hasValue(70_000);
        assertThat(hints.maxFilters()).isEmpty();

        connection.send(new ClientMessage.Req("s", List.of(Filter.ALL)));
        assertThat(relay.received.poll(10, TimeUnit.SECONDS)).isEqualTo("[\"REQ\",\"s\",{}]");

        ServerWebSocket socket = relay.sockets.take();
        Event event = TestKeys.ALICE.sign(1, 1_700_000_000, List.of(), "é€😀");
        for (int i = 0; i < 100; i++) {
            socket.writeTextMessage("[\"EVENT\",\"s\"," + new String(EventJson.write(event), UTF_8) + "]");
            socket.writeTextMessage("[\"EOSE\",\"s\"]");
        }
        List<RelayMessage> messages = listener.awaitMessages(200);
        for (int i = 0; i < 200; i += 2) {
            assertThat(messages.get(i)).isEqualTo(new RelayMessage.Event("s", event));
            assertThat(messages.get(i + 1)).isEqualTo(new RelayMessage.Eose("s", Hint.NONE));
        }
        listener.assertOrder();
        assertThat(relay.extensions.poll()).as("compression is not offered").isEqualTo("null");
    }

    @Test
    void afterCloseNothingIsToldAndTheRelaySeesTheEnd() throws InterruptedException {
        LinkedBlockingQueue<byte[]> farewell = new LinkedBlockingQueue<>();
        CountDownLatch left = new CountDownLatch(1);
        RawRelay relay = raw((client, request) -> {
            write(client, accept(request));
            farewell.add(RawRelay.readFrame(client));
            try {
                write(client, text(NOTICE));
                readToEnd(client);
            } finally {
                left.countDown();
            }
        });
        RelayConnection connection = connect(relay.url());
        listener.awaitOpened();

        connection.close();
        connection.close();
        connection.send(new ClientMessage.Close("s"));
        connection.resume();

        assertThat(farewell.poll(10, TimeUnit.SECONDS)).startsWith(1000 >> 8, 1000 & 0xff);
        assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(listener.told).hasSize(1);
    }

    @Test
    void closedWhileDiallingNothingIsTold() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        RawRelay relay = raw((client, request) -> {
            asked.countDown();
            readToEnd(client);
            left.countDown();
        });
        RelayConnection connection = connect(relay.url());
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();

        connection.close();

        assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(listener.told).isEmpty();
    }

    @Test
    void aFarewellIsQuoted() {
        byte[] reason = "\u0003\u00f0go\naway".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        connect(rawSending(text(NOTICE), frame(0x88, reason)).url());

        assertThat(listener.awaitLost()).isEqualTo("closed by the relay: 1008 go away");
        assertThat(listener.all(Told.Received.class)).hasSize(1);
    }

    @Test
    void garbageFramesAreTheEnd() {
        connect(rawSending(text(NOTICE), "this is not a frame at all".getBytes(UTF_8))
                .url());

        assertThat(listener.awaitLost()).startsWith("not the WebSocket protocol: ");
        assertThat(listener.all(Told.Received.class)).hasSize(1);
    }

    @Test
    void anOversizeFrameIsTheEndBeforeItIsRead() {
        byte[] header = Arrays.copyOf(frame(0x81, new byte[70_000]), 10);
        connect(rawSending(text(NOTICE), header).url());

        assertThat(listener.awaitLost()).startsWith("a message beyond the size limit");
    }

    @Test
    void anOversizeMessageInSmallFramesIsTheEndToo() {
        byte[] part = new byte[30_000];
        connect(rawSending(frame(0x01, part), frame(0x00, part), frame(0x00, part))
                .url());

        assertThat(listener.awaitLost()).startsWith("a message beyond the size limit");
    }

    @Test
    void aDropInTheMiddleOfAMessageIsTheEndLikeAnyOther() {
        CountDownLatch leave = new CountDownLatch(1);
        connect(raw((client, request) -> {
                    write(client, accept(request), text(NOTICE), frame(0x01, new byte[100]));
                    leave.await();
                })
                .url());
        listener.awaitMessages(1);
        leave.countDown();

        assertThat(listener.awaitLost()).isEqualTo("connection dropped");
    }

    @Test
    void messagesInSeveralFramesArePutTogether() {
        byte[] json = NOTICE.getBytes(UTF_8);
        connect(rawSending(
                        frame(0x01, Arrays.copyOf(json, 5)),
                        frame(0x89, new byte[3]),
                        frame(0x80, Arrays.copyOfRange(json, 5, json.length)))
                .url());

        assertThat(listener.awaitMessages(1)).containsExactly(new RelayMessage.Notice("hello"));
    }
}
