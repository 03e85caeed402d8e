package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** EOSE says whether stored events were left out. */
@QuarkusTest
class Nip67Test {

    private final TestRepo repo = new TestRepo();
    private TestClient client;

    @BeforeEach
    void publish() {
        client = new TestClient();
        client.publish(repo.announcement());
        for (int i = 0; i < 3; i++) {
            client.publish(repo.issue(TestRepo.NOON + i));
        }
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private Hint hint(Filter filter) {
        client.send(new ClientMessage.Req("s", List.of(filter)));
        RelayMessage message = client.next();
        while (message instanceof RelayMessage.Event) {
            message = client.next();
        }
        assertThat(message).isInstanceOf(RelayMessage.Eose.class);
        return ((RelayMessage.Eose) message).hint();
    }

    @Test
    void everythingWasSentMeansFinish() {
        assertThat(hint(repo.filter())).isEqualTo(Hint.FINISH);
        assertThat(hint(repo.filter().withLimit(3))).isEqualTo(Hint.FINISH);
        assertThat(hint(repo.filter().withKinds(1))).isEqualTo(Hint.FINISH);
    }

    @Test
    void aLimitThatLeftSomethingOutMeansMore() {
        assertThat(hint(repo.filter().withLimit(2))).isEqualTo(Hint.MORE);
    }
}
