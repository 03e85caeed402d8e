package dev.graspsync.relay;

import static dev.graspsync.TestKeys.ALICE;
import static dev.graspsync.TestKeys.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.Provenance;
import io.quarkus.test.junit.DisabledOnIntegrationTest;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.spi.CDI;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Protected events: nobody but their author brings them. */
@QuarkusTest
class Nip70Test {

    private final TestRepo repo = new TestRepo();
    private final Event secret = repo.issue(TestRepo.NOON, Tag.of("-"));
    private TestClient client;

    @BeforeEach
    void connect() {
        client = new TestClient();
        client.publish(repo.announcement());
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void withoutAuthenticationItIsRefused() {
        RelayMessage.Ok ok = client.publish(secret);
        assertThat(ok.accepted()).isFalse();
        assertThat(ok.message()).startsWith("auth-required: ");
        assertThat(client.stored("s", repo.filter())).isEmpty();
    }

    @Test
    void fromSomebodyElseItIsRefused() {
        client.auth(Nip42Test.answer(ALICE, client.challenge()));
        RelayMessage.Ok ok = client.publish(secret);
        assertThat(ok.accepted()).isFalse();
        assertThat(ok.message()).startsWith("restricted: ");
    }

    @Test
    void fromItsAuthorItIsTakenAndServed() {
        client.publish(secret);
        client.auth(Nip42Test.answer(ALICE, client.challenge()));
        client.auth(Nip42Test.answer(BOB, client.challenge()));
        assertThat(client.publish(secret)).isEqualTo(new RelayMessage.Ok(secret.id(), true, ""));
        assertThat(client.stored("s", repo.filter())).containsExactly(secret.id());
    }

    @Test
    void aFailedAuthenticationOpensNothing() {
        client.auth(Nip42Test.answer(BOB, "another challenge"));
        assertThat(client.publish(secret).message()).startsWith("auth-required: ");
    }

    @Test
    @DisabledOnIntegrationTest("looks into the process")
    void fromAnotherRelayItIsRefused() throws Exception {
        Relay relay = CDI.current().select(Relay.class).get();
        CompletableFuture<IngestResult> result = new CompletableFuture<>();
        assertThat(relay.ingest()
                        .offer(
                                secret,
                                Provenance.from(
                                        RelayUrl.parse("wss://other.example").orElseThrow(), Provenance.Way.FIRST_SYNC),
                                Set.of(),
                                result::complete,
                                () -> {}))
                .isNotEqualTo(EventIngest.Entry.REFUSED);
        assertThat(result.get(10, TimeUnit.SECONDS).accepted()).isFalse();
    }
}
