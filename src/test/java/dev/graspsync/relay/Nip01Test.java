package dev.graspsync.relay;

import static dev.graspsync.TestKeys.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Signature;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The basic protocol, over a real WebSocket against the running service. */
@QuarkusTest
class Nip01Test {

    private final TestRepo repo = new TestRepo();
    private TestClient client;

    @BeforeEach
    void connect() {
        client = new TestClient();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void whatIsPublishedIsFoundNewestFirst() {
        Event announcement = repo.announcement();
        Event older = repo.issue(1_700_000_100);
        Event newer = repo.issue(1_700_000_200);
        for (Event event : List.of(announcement, newer, older)) {
            assertThat(client.publish(event)).isEqualTo(new RelayMessage.Ok(event.id(), true, ""));
        }
        assertThat(client.stored("s", repo.filter())).containsExactly(newer.id(), older.id());
        assertThat(client.stored("s", repo.filter().withLimit(1))).containsExactly(newer.id());
    }

    @Test
    void aSubscriptionStaysLiveAfterEose() {
        client.publish(repo.announcement());
        try (TestClient reader = new TestClient()) {
            assertThat(reader.stored("live", repo.filter())).isEmpty();
            Event issue = repo.issue(1_700_000_100);
            client.publish(issue);
            RelayMessage.Event live = reader.next(RelayMessage.Event.class);
            assertThat(live.event()).isEqualTo(issue);
            assertThat(live.subscriptionId()).isEqualTo("live");

            reader.send(new ClientMessage.Close("live"));
            client.publish(repo.issue(1_700_000_101));
            assertThat(reader.stored("all", repo.filter())).hasSize(2);
        }
    }

    @Test
    void aWrongSignatureIsRefused() {
        Event good = repo.announcement();
        Event bad = new Event(
                good.id(),
                good.pubkey(),
                good.createdAt(),
                good.kind(),
                good.tags(),
                good.content(),
                Signature.ofBytes(new byte[64]));
        assertThat(client.publish(bad).message()).startsWith("invalid: ");
        assertThat(client.publish(good).accepted()).isTrue();
    }

    @Test
    void aWrongIdIsRefused() {
        Event good = repo.announcement();
        Event bad = new Event(
                good.id(), good.pubkey(), good.createdAt() + 1, good.kind(), good.tags(), good.content(), good.sig());
        RelayMessage.Ok ok = client.publish(bad);
        assertThat(ok.accepted()).isFalse();
        assertThat(ok.message()).startsWith("invalid: ");
    }

    @Test
    void anEventAboutNothingHereIsRefusedWithAReason() {
        RelayMessage.Ok ok = client.publish(BOB.sign(1, 1_700_000_000, List.of(), "hello"));
        assertThat(ok.accepted()).isFalse();
        assertThat(ok.message()).startsWith("blocked: ");
    }

    @Test
    void ofAReplaceableEventTheNewestIsServed() {
        client.publish(repo.announcement());
        Event newer = repo.by(BOB, 10_317, TestRepo.NOON + 20);
        Event older = repo.by(BOB, 10_317, TestRepo.NOON + 10);
        assertThat(client.publish(newer).accepted()).isTrue();
        assertThat(client.publish(older).message()).startsWith("duplicate: ");
        assertThat(client.stored("s", repo.filter())).containsExactly(newer.id());
    }

    @Test
    void limitZeroMeansNothingStoredAndStayLive() {
        client.publish(repo.announcement());
        client.publish(repo.issue(TestRepo.NOON));
        try (TestClient reader = new TestClient()) {
            assertThat(reader.stored("live", repo.filter().withLimit(0))).isEmpty();
            Event issue = repo.issue(TestRepo.NOON + 1);
            client.publish(issue);
            assertThat(reader.next(RelayMessage.Event.class).event()).isEqualTo(issue);
        }
    }

    @Test
    void aReqWithTheSameIdReplacesTheOneBefore() {
        client.publish(repo.announcement());
        try (TestClient reader = new TestClient()) {
            reader.stored("s", repo.filter().withKinds(1621));
            reader.stored("s", repo.filter().withKinds(1617));
            client.publish(repo.issue(TestRepo.NOON));
            Event patch = repo.by(BOB, 1617, TestRepo.NOON + 1);
            client.publish(patch);
            assertThat(reader.next(RelayMessage.Event.class).event()).isEqualTo(patch);
        }
    }

    @Test
    void anEphemeralEventReachesWhoListensAndIsNotStored() {
        client.publish(repo.announcement());
        try (TestClient reader = new TestClient()) {
            reader.stored("live", repo.filter());
            Event ephemeral = repo.by(BOB, 20_001, TestRepo.NOON);
            assertThat(client.publish(ephemeral)).isEqualTo(new RelayMessage.Ok(ephemeral.id(), true, ""));
            assertThat(reader.next(RelayMessage.Event.class).event()).isEqualTo(ephemeral);
            assertThat(reader.stored("again", repo.filter())).isEmpty();
        }
    }

    @Test
    void anEphemeralEventAboutNothingHereIsRefused() {
        assertThat(client.publish(repo.by(BOB, 20_001, TestRepo.NOON)).message())
                .startsWith("blocked: ");
    }
}
