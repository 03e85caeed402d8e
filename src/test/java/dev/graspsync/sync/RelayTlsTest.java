package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import io.vertx.core.Vertx;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay's certificate is checked against the name in its URL, although its address is dialled. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayTlsTest {

    private static final String PASSWORD = "changeit";

    @TempDir
    static Path folder;

    private static Path keys;

    private final Vertx vertx = Vertx.vertx();
    private final RecordingListener listener = new RecordingListener();
    private final List<String> names = new CopyOnWriteArrayList<>();
    private final RawRelay relay = new RawRelay(serverSocket(), (client, request) -> {
        if (((SSLSocket) client).getSession() instanceof ExtendedSSLSession session) {
            session.getRequestedServerNames().stream()
                    .map(SNIServerName::toString)
                    .forEach(names::add);
        }
        write(client, accept(request), text("[\"NOTICE\",\"hello\"]"));
        readToEnd(client);
    });

    @BeforeAll
    static void makeCertificate() throws IOException, InterruptedException {
        keys = folder.resolve("relay.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "relay",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=relay.example",
                        "-ext",
                        "SAN=dns:relay.example",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).isZero();
    }

    @AfterEach
    void stop() throws Exception {
        relay.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static SSLServerSocket serverSocket() {
        try (InputStream in = Files.newInputStream(keys)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return (SSLServerSocket)
                    context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void connect(String host, @Nullable TrustOptions trust) {
        new RelayConnector(
                        vertx,
                        new TargetRules(true),
                        ConnectionLimits.DEFAULTS,
                        InstantSource.system(),
                        name -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")},
                        trust)
                .connect(relay.url("wss://" + host), listener);
    }

    private static TrustOptions trusted() {
        return new PfxOptions().setPath(keys.toString()).setPassword(PASSWORD);
    }

    @Test
    void aCertificateNobodyVouchesForIsRefused() {
        connect("relay.example", null);

        assertThat(listener.awaitOpenFailed()).startsWith("certificate not trusted: ");
        assertThat(relay.requests).isEmpty();
    }

    @Test
    void aCertificateForAnotherHostIsRefused() {
        connect("other.example", trusted());

        assertThat(listener.awaitOpenFailed())
                .startsWith("certificate not trusted: ")
                .contains("other.example");
        assertThat(relay.requests).isEmpty();
    }

    @Test
    void aTrustedCertificateForThisNameOpensAndTheRelayIsToldTheName() {
        connect("relay.example", trusted());

        listener.awaitOpened();
        assertThat(listener.awaitMessages(1)).containsExactly(new RelayMessage.Notice("hello"));
        assertThat(names).singleElement().asString().contains("relay.example");
        assertThat(relay.requests).allSatisfy(request -> assertThat(request).contains("Host: relay.example:"));
    }

    @Test
    void aRelayThatSpeaksNoTlsIsNamedSo() throws IOException {
        try (ServerSocket plain = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> {
                try (Socket client = plain.accept()) {
                    write(client, "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
                    readToEnd(client);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            new RelayConnector(vertx, new TargetRules(true), ConnectionLimits.DEFAULTS, InstantSource.system())
                    .connect(
                            RelayUrl.parse("wss://127.0.0.1:" + plain.getLocalPort())
                                    .orElseThrow(),
                            listener);

            assertThat(listener.awaitOpenFailed()).startsWith("TLS failed: ");
        }
    }
}
