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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client over a real WebSocket that waits for what it expects. */
final class TestClient implements WebSocket.Listener, AutoCloseable {

    private final LinkedBlockingQueue<RelayMessage> received = new LinkedBlockingQueue<>();
    private final StringBuilder partial = new StringBuilder();
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;

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
                received.add(message);
            }
        }
        from.request(1);
        return null;
    }

    void send(ClientMessage message) {
        sendText(new String(ClientMessageWriter.write(message), UTF_8));
    }

    void sendText(String text) {
        socket.sendText(text, true).join();
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

    @Override
    public void close() {
        socket.abort();
        http.close();
    }
}
