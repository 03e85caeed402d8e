package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.RelayMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** permessage-deflate, where it is allowed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayCompressionTest extends ConnectionFixture {

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
}
