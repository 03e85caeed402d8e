package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Tag;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Expiration. */
@QuarkusTest
class Nip40Test {

    private final TestRepo repo = new TestRepo();
    private final long now = Instant.now().getEpochSecond();
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

    private Event expiring(long at) {
        return repo.issue(TestRepo.NOON, Tag.of("expiration", Long.toString(at)));
    }

    @Test
    void anExpiredEventIsRefused() {
        RelayMessage.Ok ok = client.publish(expiring(now - 1));
        assertThat(ok.accepted()).isFalse();
        assertThat(ok.message()).startsWith("invalid: ");
    }

    @Test
    void anEventThatExpiresLaterIsServed() {
        Event event = expiring(now + 3_600);
        assertThat(client.publish(event).accepted()).isTrue();
        assertThat(client.stored("s", repo.filter())).containsExactly(event.id());
    }

    @Test
    void onceExpiredItIsNeitherServedNorCounted() {
        Event event = expiring(Instant.now().getEpochSecond() + 2);
        assertThat(client.publish(event).accepted()).isTrue();
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!client.stored("s", repo.filter()).isEmpty()) {
            assertThat(System.nanoTime()).as("gone in time").isLessThan(deadline);
        }
        client.send(new ClientMessage.Count("c", List.of(repo.filter())));
        assertThat(client.next(RelayMessage.Count.class).count()).isZero();
    }
}
