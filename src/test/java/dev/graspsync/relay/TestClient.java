package dev.graspsync.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.wire.ClientMessageWriter;
import dev.graspsync.wire.ReadResult;
import dev.graspsync.wire.RelayMessageReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.ConfigProvider;

/** A client over a real WebSocket that waits for what it expects. */
final class TestClient implements WebSocket.Listener, AutoCloseable {

    private final LinkedBlockingQueue<RelayMessage> received = new LinkedBlockingQueue<>();
    private final StringBuilder partial = new StringBuilder();
    private final HttpClient http = HttpClient.newHttpClient();
    private final CompletableFuture<String> challenge = new CompletableFuture<>();
    private final WebSocket socket;

    /** To the service under test. */
    TestClient() {
        this(port());
    }

    static int port() {
        return ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
    }

    TestClient(int port) {
        socket = http.newWebSocketBuilder()
                .buildAsync(URI.create("ws://localhost:" + port + "/"), this)
                .join();
    }

    @Override
    public @org.jspecify.annotations.Nullable CompletionStage<?> onText(
            WebSocket from, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            byte[] bytes = partial.toString().getBytes(UTF_8);
            partial.setLength(0);
            if (RelayMessageReader.read(bytes, 0, bytes.length)
                    instanceof ReadResult.Message<RelayMessage>(RelayMessage message)) {
                if (message instanceof RelayMessage.Auth(String text)) {
                    challenge.complete(text);
                } else {
                    received.add(message);
                }
            }
        }
        from.request(1);
        return null;
    }

    /** The challenge of NIP-42. */
    String challenge() {
        return challenge.orTimeout(10, TimeUnit.SECONDS).join();
    }

    void send(ClientMessage message) {
        sendText(new String(ClientMessageWriter.write(message), UTF_8));
    }

    void sendText(String text) {
        socket.sendText(text, true).join();
    }

    void sendBinary(byte[] bytes) {
        socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    /** One message in several frames. */
    void sendFragments(String text, int size) {
        for (int at = 0; at < text.length(); at += size) {
            int end = Math.min(text.length(), at + size);
            socket.sendText(text.substring(at, end), end == text.length()).join();
        }
    }

    RelayMessage next() {
        try {
            RelayMessage message = received.poll(10, TimeUnit.SECONDS);
            assertThat(message).as("a message within ten seconds").isNotNull();
            return message;
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    <T extends RelayMessage> T next(Class<T> type) {
        RelayMessage message = next();
        assertThat(message).isInstanceOf(type);
        return type.cast(message);
    }

    RelayMessage.Ok publish(Event event) {
        send(new ClientMessage.Event(event));
        return next(RelayMessage.Ok.class);
    }

    /** The ids of what is stored, up to EOSE. */
    List<EventId> stored(String id, Filter... filters) {
        send(new ClientMessage.Req(id, List.of(filters)));
        List<EventId> ids = new ArrayList<>();
        RelayMessage message = next();
        while (message instanceof RelayMessage.Event(String subscription, Event event)) {
            ids.add(event.id());
            message = next();
        }
        assertThat(message).isInstanceOf(RelayMessage.Eose.class);
        return ids;
    }

    RelayMessage.Ok auth(Event event) {
        send(new ClientMessage.Auth(event));
        return next(RelayMessage.Ok.class);
    }

    /** What a question that the relay does not refuse still gets: everything works as before. */
    void assertWorks() {
        send(new ClientMessage.Req("works", List.of(Filter.ALL.withLimit(0))));
        assertThat(next(RelayMessage.Eose.class).subscriptionId()).isEqualTo("works");
        send(new ClientMessage.Close("works"));
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
    }
}
