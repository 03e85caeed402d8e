package dev.graspsync.relay;

import static dev.graspsync.TestKeys.BOB;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Tag;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The limits the document tells are those that are enforced: each is reached, and passed by one. */
@QuarkusTest
@TestProfile(TightLimits.class)
class Nip11LimitsTest {

    private final TestRepo repo = new TestRepo();
    private JsonPath limitation;
    private TestClient client;

    @BeforeEach
    void readTheDocument() {
        limitation =
                given().accept("application/nostr+json").get("/").jsonPath().setRootPath("limitation");
        client = new TestClient();
        assertThat(client.publish(repo.announcement()).accepted()).isTrue();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void maxMessageLength() {
        int most = limitation.getInt("max_message_length");
        client.sendText("x".repeat(most));
        assertThat(client.next(RelayMessage.Notice.class).message()).doesNotContain("the limit is");
        client.sendText("x".repeat(most + 1));
        assertThat(client.next(RelayMessage.Notice.class).message()).contains("the limit is " + most);
    }

    @Test
    void maxSubscriptions() {
        int most = limitation.getInt("max_subscriptions");
        for (int i = 0; i < most; i++) {
            client.send(new ClientMessage.Req("sub" + i, List.of(Filter.ALL.withLimit(0))));
            client.next(RelayMessage.Eose.class);
        }
        client.send(new ClientMessage.Req("one more", List.of(Filter.ALL.withLimit(0))));
        assertThat(client.next(RelayMessage.Closed.class).message()).contains("the limit is " + most);
    }

    @Test
    void maxLimitAndDefaultLimit() {
        int most = limitation.getInt("max_limit");
        assertThat(limitation.getInt("default_limit")).isEqualTo(most);
        for (int i = 0; i <= most; i++) {
            assertThat(client.publish(repo.issue(TestRepo.NOON + i)).accepted()).isTrue();
        }
        assertThat(client.stored("default", repo.filter().withKinds(1621))).hasSize(most);
        assertThat(client.stored("more", repo.filter().withKinds(1621).withLimit(most + 1)))
                .hasSize(most);
    }

    @Test
    void maxSubidLength() {
        int most = limitation.getInt("max_subid_length");
        client.send(new ClientMessage.Req("x".repeat(most), List.of(Filter.ALL.withLimit(0))));
        client.next(RelayMessage.Eose.class);
        client.sendText("[\"REQ\",\"" + "x".repeat(most + 1) + "\",{\"limit\":0}]");
        assertThat(client.next()).isNotInstanceOf(RelayMessage.Eose.class);
    }

    @Test
    void createdAtLimits() {
        long now = Instant.now().getEpochSecond();
        long ahead = limitation.getLong("created_at_upper_limit");
        long back = limitation.getLong("created_at_lower_limit");
        long minute = 60;
        assertThat(publish(now + ahead - minute).accepted()).isTrue();
        assertThat(publish(now + ahead + minute).message()).startsWith("invalid: created_at");
        assertThat(publish(now - back + minute).accepted()).isTrue();
        assertThat(publish(now - back - minute).message()).startsWith("invalid: created_at");
    }

    @Test
    void nobodyNeedsToAuthenticateOrToPayButWritesAreRestricted() {
        assertThat(limitation.getBoolean("auth_required")).isFalse();
        assertThat(limitation.getBoolean("payment_required")).isFalse();
        client.assertWorks();
        assertThat(limitation.getBoolean("restricted_writes")).isTrue();
        Event unrelated = BOB.sign(1, TestRepo.NOON, List.of(Tag.of("t", "anything")), "hello");
        assertThat(client.publish(unrelated).message()).startsWith("blocked: ");
    }

    private RelayMessage.Ok publish(long createdAt) {
        return client.publish(repo.issue(createdAt));
    }
}
