package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Tag;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests to vanish. */
@QuarkusTest
class Nip62Test {

    /** Somebody of this test's own: they vanish from the relay that all tests share. */
    private final TestKeys dave = TestKeys.named("dave " + UUID.randomUUID());

    private final TestRepo repo = new TestRepo();
    private final Event old = repo.by(dave, 1621, TestRepo.NOON);
    private TestClient client;

    @BeforeEach
    void publish() {
        client = new TestClient();
        client.publish(repo.announcement());
        assertThat(client.publish(old).accepted()).isTrue();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private RelayMessage.Ok vanish(String relay) {
        return client.publish(dave.sign(62, TestRepo.NOON + 100, List.of(Tag.of("relay", relay)), "bye"));
    }

    private void assertVanished() {
        assertThat(client.stored("s", repo.filter())).isEmpty();
        assertThat(client.publish(old).message()).startsWith("blocked: ");
        Event older = repo.by(dave, 1621, TestRepo.NOON + 50);
        assertThat(client.publish(older).message()).startsWith("blocked: ");
    }

    @Test
    void whoVanishesFromThisRelayIsGoneAndStaysGone() {
        assertThat(vanish("wss://relay.example/").accepted()).isTrue();
        assertVanished();
    }

    @Test
    void whoVanishesFromAllRelaysIsGoneAndStaysGone() {
        assertThat(vanish("ALL_RELAYS").accepted()).isTrue();
        assertVanished();
    }

    @Test
    void whoVanishesFromAnotherRelayStaysHere() {
        assertThat(vanish("wss://relay.example.org/").accepted()).isFalse();
        assertThat(client.stored("s", repo.filter())).containsExactly(old.id());
    }

    @Test
    void whatIsWrittenAfterwardsIsWelcome() {
        vanish("ALL_RELAYS");
        Event later = repo.by(dave, 1621, TestRepo.NOON + 200);
        assertThat(client.publish(later).accepted()).isTrue();
        assertThat(client.stored(
                        "s", Filter.ALL.withAuthors(Set.of(dave.pubkey())).withKinds(1621)))
                .containsExactly(later.id());
    }
}
