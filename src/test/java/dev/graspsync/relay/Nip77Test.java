package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.nostr.RelayMessage;
import io.quarkus.test.junit.QuarkusTest;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Negentropy over a real WebSocket: so far every session is refused, with a reason and by its own id. */
@QuarkusTest
class Nip77Test {

    private TestClient client;

    @BeforeEach
    void connect() {
        client = new TestClient(ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class));
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void aSessionIsRefused() {
        client.send(new ClientMessage.NegOpen("neg", Filter.ALL, new NegentropyMessage(new byte[] {0x61})));

        RelayMessage.NegErr refusal = client.next(RelayMessage.NegErr.class);
        assertThat(refusal.sessionId()).isEqualTo("neg");
        assertThat(refusal.reason()).startsWith("unsupported: ");
    }

    @Test
    void aMalformedMessageIsRefusedWithItsSession() {
        client.sendText("[\"NEG-OPEN\",\"neg\",{},\"6\"]");

        RelayMessage.NegErr refusal = client.next(RelayMessage.NegErr.class);
        assertThat(refusal.sessionId()).isEqualTo("neg");
        assertThat(refusal.reason()).isEqualTo("invalid: negentropy message is not hex");
    }
}
