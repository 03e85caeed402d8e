package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.frame;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.RelayHints;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each way to fail before a connection is open ends in one openFailed with a reason one can read. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayOpeningTest extends ConnectionFixture {

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
}
