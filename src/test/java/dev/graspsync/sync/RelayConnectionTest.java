package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.frame;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.RawRelay.Script;
import dev.graspsync.sync.RecordingListener.Told;
import dev.graspsync.sync.core.RelayHints;
import dev.graspsync.wire.EventJson;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real sockets on loopback; each way to fail ends in exactly one terminal callback with a reason one can read. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayConnectionTest {

    private static final String NOTICE = "[\"NOTICE\",\"hello\"]";
    private static final ConnectionLimits LIMITS = new ConnectionLimits(
            Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(30), 64 << 10, 256 << 10, false);

    private final RecordingListener listener = new RecordingListener();
    private Vertx vertx;
    private final List<AutoCloseable> open = new java.util.ArrayList<>();

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private RelayConnection connect(RelayUrl relay) {
        return connect(relay, LIMITS);
    }

    private RelayConnection connect(RelayUrl relay, ConnectionLimits limits) {
        return connector(limits, InetAddress::getAllByName).connect(relay, listener);
    }

    private RelayConnector connector(ConnectionLimits limits, HostLookup names) {
        return new RelayConnector(vertx, new TargetRules(true), limits, InstantSource.system(), names, null);
    }

    private RawRelay raw(Script script) {
        RawRelay relay = new RawRelay(script);
        open.add(relay);
        return relay;
    }

    /** Opens the WebSocket, writes this, and stays. */
    private RawRelay rawSending(byte[]... frames) {
        return raw((client, request) -> {
            write(client, accept(request), RawRelay.concat(frames));
            readToEnd(client);
        });
    }

    private static ConnectionLimits pinging(Duration interval) {
        return new ConnectionLimits(
                LIMITS.connectTimeout(),
                LIMITS.hintsTimeout(),
                interval,
                LIMITS.maxMessageBytes(),
                LIMITS.maxOutboundBytes(),
                false);
    }

    // What works ---------------------------------------------------------------------------------------------------

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

    private static final ConnectionLimits COMPRESSING = new ConnectionLimits(
            Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(30), 64 << 10, 256 << 10, true);
    private static final String AGREED = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover;"
            + " client_no_context_takeover\r\n";

    @Test
    void compressesWhereThatIsAllowedAndTheRelayAgrees() throws InterruptedException {
        String text = "a".repeat(50_000);
        LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
        RawRelay relay = raw((client, request) -> {
            assertThat(request).contains("permessage-deflate");
            write(client, accept(request, AGREED));
            received.add(RawRelay.inflated(RawRelay.readFrame(client)));
            for (int i = 0; i < 100; i++) {
                write(client, RawRelay.deflated("[\"NOTICE\",\"" + text + i + "\"]"));
            }
            readToEnd(client);
        });
        RelayConnection connection = connect(relay.url(), COMPRESSING);
        listener.awaitOpened();

        connection.send(new ClientMessage.Close(text));

        assertThat(received.poll(10, TimeUnit.SECONDS)).isEqualTo("[\"CLOSE\",\"" + text + "\"]");
        List<RelayMessage> messages = listener.awaitMessages(100);
        for (int i = 0; i < 100; i++) {
            assertThat(messages.get(i)).isEqualTo(new RelayMessage.Notice(text + i));
        }
    }

    @Test
    void aSmallFrameThatInflatesBeyondTheLimitIsTheEnd() {
        connect(
                raw((client, request) -> {
                            write(client, accept(request, AGREED));
                            write(client, RawRelay.deflated("[\"NOTICE\",\"" + "b".repeat(10 << 20) + "\"]"));
                            readToEnd(client);
                        })
                        .url(),
                COMPRESSING);

        assertThat(listener.awaitLost()).contains("size limit");
    }

    @Test
    void compressionThatWasNotOfferedIsRefused() {
        connect(raw((client, request) -> {
                    write(client, accept(request, AGREED));
                    readToEnd(client);
                })
                .url());

        assertThat(listener.awaitOpenFailed()).contains("not offered");
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

    // Before it is open --------------------------------------------------------------------------------------------

    @Test
    void aClosedPortIsRefused() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = free.getLocalPort();
        }
        connect(RelayUrl.parse("ws://127.0.0.1:" + port).orElseThrow());

        assertThat(listener.awaitOpenFailed()).isEqualTo("connection refused");
    }

    @Test
    void anUnknownNameHasNoAddress() {
        connector(LIMITS, host -> {
                    throw new UnknownHostException(host);
                })
                .connect(RelayUrl.parse("ws://nowhere.example").orElseThrow(), listener);

        assertThat(listener.awaitOpenFailed()).isEqualTo("no address for host nowhere.example");
    }

    @Test
    void aNameServerThatDoesNotAnswerIsNotWaitedFor() {
        CountDownLatch never = new CountDownLatch(1);
        open.add(never::countDown);
        ConnectionLimits hurried = new ConnectionLimits(
                Duration.ofSeconds(1), LIMITS.hintsTimeout(), LIMITS.pingInterval(), 64 << 10, 64 << 10, false);
        connector(hurried, host -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    throw new UnknownHostException(host);
                })
                .connect(RelayUrl.parse("ws://slow.example").orElseThrow(), listener);

        assertThat(listener.awaitOpenFailed()).isEqualTo("no answer within 1 s, waiting for an address of its host");
        never.countDown();
    }

    @Test
    void rule26PrivateAddressesAreNotDialled() {
        RawRelay relay = rawSending();
        new RelayConnector(vertx, new TargetRules(false), LIMITS, InstantSource.system())
                .connect(relay.url(), listener);

        assertThat(listener.awaitOpenFailed()).isEqualTo("not dialled: 127.0.0.1 is a loopback address");
        assertThat(relay.requests).isEmpty();
    }

    @Test
    void rule26TheNameIsResolvedOnceAndTheCheckedAddressDialled() {
        AtomicInteger lookups = new AtomicInteger();
        RawRelay relay = rawSending();
        connector(LIMITS, host -> {
                    // A second lookup would give an address at which nobody listens.
                    String ip = lookups.getAndIncrement() == 0 ? "127.0.0.1" : "127.0.0.9";
                    return new InetAddress[] {InetAddress.ofLiteral(ip)};
                })
                .connect(relay.url("ws://rebinding.example"), listener);

        listener.awaitOpened();
        assertThat(lookups).hasValue(1);
        assertThat(relay.requests)
                .hasSize(2)
                .allSatisfy(request -> assertThat(request).contains("Host: rebinding.example:" + relay.port()));
    }

    @Test
    void thePathAndQueryAreAskedForAndIpv6HostsKeepTheirBrackets() {
        RawRelay relay = rawSending();
        connector(LIMITS, host -> {
                    assertThat(host).isEqualTo("::1");
                    return new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
                })
                .connect(
                        RelayUrl.parse("ws://[::1]:" + relay.port() + "/inbox?x=1")
                                .orElseThrow(),
                        listener);

        listener.awaitOpened();
        assertThat(relay.requests)
                .hasSize(2)
                .allSatisfy(request -> assertThat(request)
                        .startsWith("GET /inbox?x=1 HTTP/1.1\r\n")
                        .contains("\r\nHost: [::1]:" + relay.port() + "\r\n"));
    }

    @Test
    void rule26OneForbiddenAddressAmongOthersIsPassedOver() {
        RelayResolver resolver = new RelayResolver(
                vertx,
                host -> new InetAddress[] {InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral("1.1.1.1")},
                new TargetRules(false));
        RelayUrl relay = RelayUrl.parse("wss://mixed.example").orElseThrow();

        assertThat(resolver.resolve(relay).toCompletionStage().toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(10))
                .isEqualTo(new RelayResolver.Resolution.Found(
                        List.of(new RelayAddress(relay, InetAddress.ofLiteral("1.1.1.1")))));
    }

    @Test
    void anAddressThatDoesNotAnswerIsPassedOverForTheNext() {
        RawRelay relay = rawSending();
        connector(LIMITS, host ->
                        new InetAddress[] {InetAddress.ofLiteral("127.0.0.9"), InetAddress.ofLiteral("127.0.0.1")})
                .connect(relay.url("ws://two.example"), listener);

        assertThat(listener.awaitOpened()).isEqualTo(RelayHints.NONE);
    }

    @Test
    void redirectsAreNotFollowed() {
        RawRelay target = rawSending();
        RawRelay relay = raw((client, request) -> write(
                client,
                ("HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:" + target.port() + "/\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(UTF_8)));
        connect(relay.url());

        assertThat(listener.awaitOpenFailed()).isEqualTo("HTTP 301 instead of a WebSocket");
        assertThat(target.requests).isEmpty();
    }

    @Test
    void anAnswerToAnotherQuestionIsRefused() {
        RawRelay relay = raw((client, request) -> {
            write(client, accept("Sec-WebSocket-Key: somethingelse\r\n"));
            readToEnd(client);
        });
        connect(relay.url());

        assertThat(listener.awaitOpenFailed()).contains("does not fit");
    }

    @Test
    void aRelayThatIsNotHttpIsRefused() {
        RawRelay relay = raw((client, request) -> write(client, "SSH-2.0-OpenSSH_9.9\r\n\r\n".getBytes(UTF_8)));
        connect(relay.url());

        assertThat(listener.awaitOpenFailed())
                .startsWith("not an HTTP answer: ")
                .doesNotContain("\n");
    }

    @Test
    void anUpgradeThatIsNeverAnsweredRunsIntoTheDeadline() {
        RawRelay relay = raw((client, request) -> readToEnd(client));
        connect(
                relay.url(),
                new ConnectionLimits(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        64 << 10,
                        64 << 10,
                        false));

        assertThat(listener.awaitOpenFailed())
                .isEqualTo("no answer within 1 s, waiting for the upgrade to a WebSocket");
    }

    @Test
    void acceptThenDropIsAFailure() {
        RawRelay relay = raw((client, request) -> {});
        connect(relay.url());

        assertThat(listener.awaitOpenFailed()).isIn("connection dropped", "connection reset");
    }

    @Test
    void droppedAtAnyByteItEndsOnceWithAReason() {
        byte[] frames = RawRelay.concat(text(NOTICE), frame(0x89, new byte[5]), text("[\"EOSE\",\"s\"]"));
        int length = accept("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n").length + frames.length;
        AtomicInteger at = new AtomicInteger();
        RawRelay relay = raw((client, request) -> {
            byte[] all = RawRelay.concat(accept(request), frames);
            write(client, Arrays.copyOf(all, at.get()));
        });
        RelayConnector connector = connector(LIMITS, InetAddress::getAllByName);
        for (int i = 0; i <= length; i++) {
            at.set(i);
            RecordingListener one = new RecordingListener();
            connector.connect(relay.url(), one);
            assertThat(one.awaitEnd()).as("after %d bytes", i).isIn("connection dropped", "connection reset");
        }
    }

    // NIP-11 -------------------------------------------------------------------------------------------------------

    @Test
    void withoutAUsableDocumentNothingIsKnownAndItOpensAnyway() {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: ";
        String json = "{\"limitation\":{\"max_limit\":500}}";
        List<String> documents = List.of(
                RawRelay.NO_DOCUMENT,
                "",
                "garbage",
                head + "5\r\n\r\n<html",
                head + "100000\r\n\r\n" + "{\"name\":\"" + "x".repeat(99_000) + "\"," + json.substring(1),
                head + "1000\r\n\r\n" + json,
                "HTTP/1.1 301 Moved\r\nLocation: /other\r\nContent-Length: " + json.length() + "\r\n\r\n" + json,
                "HTTP/1.1 500 Oops\r\nContent-Length: " + json.length() + "\r\n\r\n" + json);
        for (String document : documents) {
            RecordingListener one = new RecordingListener();
            RawRelay relay = rawSending(text(NOTICE));
            relay.document(document);
            connector(LIMITS, InetAddress::getAllByName).connect(relay.url(), one);

            assertThat(one.awaitOpened()).as(document).isEqualTo(RelayHints.NONE);
            one.awaitMessages(1);
        }
    }

    @Test
    void aDocumentThatNeverComesIsNotWaitedFor() throws IOException {
        // Answers nothing but the upgrade.
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        open.add(server);
        Thread.ofVirtual().start(() -> {
            try {
                Socket first = server.accept();
                byte[] request = new byte[4096];
                int read = first.getInputStream().read(request);
                write(first, accept(new String(request, 0, read, UTF_8)), text(NOTICE));
                readToEnd(server.accept());
            } catch (IOException closed) {
                assertThat(server.isClosed()).isTrue();
            }
        });
        connect(
                RelayUrl.parse("ws://127.0.0.1:" + server.getLocalPort()).orElseThrow(),
                new ConnectionLimits(
                        Duration.ofSeconds(10),
                        Duration.ofMillis(300),
                        Duration.ofSeconds(30),
                        64 << 10,
                        64 << 10,
                        false));

        assertThat(listener.awaitOpened()).isEqualTo(RelayHints.NONE);
        assertThat(listener.awaitMessages(1)).containsExactly(new RelayMessage.Notice("hello"));
    }

    // Once it is open ----------------------------------------------------------------------------------------------

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
    void messagesInSeveralFramesArePutTogether() {
        byte[] json = NOTICE.getBytes(UTF_8);
        connect(rawSending(
                        frame(0x01, Arrays.copyOf(json, 5)),
                        frame(0x89, new byte[3]),
                        frame(0x80, Arrays.copyOfRange(json, 5, json.length)))
                .url());

        assertThat(listener.awaitMessages(1)).containsExactly(new RelayMessage.Notice("hello"));
    }

    @Test
    void someMalformedMessagesAreCountedAndAFloodIsTheEnd() {
        CountDownLatch flood = new CountDownLatch(1);
        connect(raw((client, request) -> {
                    write(client, accept(request));
                    for (int i = 0; i < 300; i++) {
                        write(client, text("{\"not\":\"a message\"}"), text(NOTICE));
                    }
                    flood.await();
                    for (int i = 0; i < 200; i++) {
                        write(client, text("nonsense"));
                    }
                    readToEnd(client);
                })
                .url());

        assertThat(listener.awaitMessages(300)).hasSize(300);
        assertThat(listener.all(Told.Malformed.class)).hasSize(300);
        flood.countDown();
        assertThat(listener.awaitLost()).isEqualTo("too many malformed messages, the last: not a JSON array");
        assertThat(listener.all(Told.Malformed.class)).hasSizeBetween(399, 401);
    }

    @Test
    void aRelayThatDoesNotAnswerPingsIsLost() {
        connect(rawSending().url(), pinging(Duration.ofMillis(100)));

        assertThat(listener.awaitLost()).isEqualTo("no sign of life after 2 pings");
    }

    @Test
    void aRelayThatAnswersPingsStays() throws InterruptedException {
        CountDownLatch pings = new CountDownLatch(8);
        connect(
                raw((client, request) -> {
                            write(client, accept(request));
                            byte[] ping = new byte[6];
                            while (client.getInputStream().readNBytes(ping, 0, 6) == 6) {
                                assertThat(ping[0]).isEqualTo((byte) 0x89);
                                pings.countDown();
                                write(client, frame(0x8a, new byte[0]));
                            }
                        })
                        .url(),
                pinging(Duration.ofMillis(100)));

        assertThat(pings.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(listener.all(Told.Lost.class)).isEmpty();
    }

    @Test
    void silenceOfARelayThatIsNotReadIsNotHeldAgainstIt() {
        RelayConnection connection = connect(rawSending(text(NOTICE)).url(), pinging(Duration.ofMillis(50)));
        connection.pause();
        listener.awaitOpened();

        await().during(Duration.ofMillis(500)).atMost(Duration.ofSeconds(20)).until(() -> listener.told.size() == 1);
        connection.resume();
        listener.awaitMessages(1);
        assertThat(listener.awaitLost()).contains("no sign of life");
    }

    @Test
    void aRelayThatDoesNotReadIsLostBeforeItsQueueGrows() {
        CountDownLatch over = new CountDownLatch(1);
        open.add(over::countDown);
        RelayConnection connection = connect(raw((client, request) -> {
                    client.setReceiveBufferSize(4096);
                    write(client, accept(request));
                    over.await();
                })
                .url());
        listener.awaitOpened();
        String text = "x".repeat(60_000);
        for (int i = 0; i < 1_000; i++) {
            connection.send(new ClientMessage.Close(text));
        }

        assertThat(listener.awaitLost()).startsWith("the relay does not read: ");
        over.countDown();
    }

    @Test
    void aFloodOfPingsThatNobodyReadsTheAnswersOfIsTheEnd() {
        byte[] pings = new byte[127 * 1_000];
        for (int i = 0; i < 1_000; i++) {
            System.arraycopy(frame(0x89, new byte[125]), 0, pings, i * 127, 127);
        }
        connect(raw((client, request) -> {
                    write(client, accept(request));
                    while (true) {
                        write(client, pings);
                    }
                })
                .url());

        assertThat(listener.awaitLost()).startsWith("the relay does not read: ");
    }

    @Test
    void rule29AFastSenderIsHeldBackWhilePausedAndLosesNothing() {
        int messages = 4_000;
        AtomicLong written = new AtomicLong();
        String filler = "x".repeat(16_000);
        RelayConnection connection = connect(raw((client, request) -> {
                    write(client, accept(request));
                    for (int i = 0; i < messages; i++) {
                        byte[] next = text("[\"NOTICE\",\"" + i + " " + filler + "\"]");
                        write(client, next);
                        written.addAndGet(next.length);
                    }
                    readToEnd(client);
                })
                .url());
        listener.onMessage = message -> connection.pause();
        listener.awaitMessages(1);
        AtomicLong before = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(20))
                .until(() -> before.getAndSet(written.get()) == written.get());

        assertThat(listener.all(Told.Received.class)).hasSize(1);
        System.out.printf("held back after %,d of %,d bytes%n", written.get(), messages * 16_000L);
        assertThat(written.get()).isLessThan(messages * 16_000L / 2);

        listener.onMessage = message -> {};
        connection.resume();
        List<RelayMessage> all = listener.awaitMessages(messages);
        for (int i = 0; i < messages; i++) {
            assertThat(((RelayMessage.Notice) all.get(i)).message()).startsWith(i + " ");
        }
        listener.assertOrder();
    }

    @Test
    void pausedAndResumedAtEveryMessageNothingIsLostOrReordered() {
        int messages = 500;
        byte[][] frames = new byte[messages][];
        for (int i = 0; i < messages; i++) {
            frames[i] = text("[\"NOTICE\",\"" + i + "\"]");
        }
        RelayConnection connection = connect(rawSending(frames).url());
        listener.onMessage = message -> {
            connection.pause();
            vertx.setTimer(1, later -> connection.resume());
        };

        List<RelayMessage> all = listener.awaitMessages(messages);
        for (int i = 0; i < messages; i++) {
            assertThat(all.get(i)).isEqualTo(new RelayMessage.Notice(String.valueOf(i)));
        }
    }
}
