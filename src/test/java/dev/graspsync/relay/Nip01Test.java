package dev.graspsync.relay;

import static dev.graspsync.TestKeys.ALICE;
import static dev.graspsync.TestKeys.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The basic protocol, over a real WebSocket against the running service. */
@QuarkusTest
class Nip01Test {

    /** A repository of its own for each test: they share the relay. */
    private final String identifier = "repo-" + UUID.randomUUID();

    private final String repo = "30617:" + ALICE.pubkey().hex() + ":" + identifier;
    private TestClient client;

    @BeforeEach
    void connect() {
        client = connected();
    }

    private static TestClient connected() {
        return new TestClient(ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class));
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void whatIsPublishedIsFoundNewestFirst() {
        Event announcement = announcement();
        Event older = issue(1_700_000_100);
        Event newer = issue(1_700_000_200);
        for (Event event : List.of(announcement, newer, older)) {
            assertThat(client.publish(event)).isEqualTo(new RelayMessage.Ok(event.id(), true, ""));
        }
        assertThat(client.stored("s", ofRepo())).containsExactly(newer.id(), older.id());
        assertThat(client.stored("s", ofRepo().withLimit(1))).containsExactly(newer.id());
    }

    @Test
    void aSubscriptionStaysLiveAfterEose() {
        client.publish(announcement());
        try (TestClient reader = connected()) {
            assertThat(reader.stored("live", ofRepo())).isEmpty();
            Event issue = issue(1_700_000_100);
            client.publish(issue);
            RelayMessage.Event live = reader.next(RelayMessage.Event.class);
            assertThat(live.event()).isEqualTo(issue);
            assertThat(live.subscriptionId()).isEqualTo("live");

            reader.send(new ClientMessage.Close("live"));
            client.publish(issue(1_700_000_101));
            assertThat(reader.stored("all", ofRepo())).hasSize(2);
        }
    }

    @Test
    void aWrongSignatureIsRefused() {
        Event good = announcement();
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
        Event good = announcement();
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
    void garbageGetsANotice() {
        for (String text : List.of("hello", "[]", "[\"PARTY\"]", "{}", "[1,2")) {
            client.sendText(text);
            assertThat(client.next(RelayMessage.Notice.class).message()).startsWith("invalid: ");
        }
    }

    @Test
    void aBadFilterClosesItsSubscription() {
        client.sendText("[\"REQ\",\"bad\",{\"kinds\":[\"1\"]}]");
        RelayMessage.Closed closed = client.next(RelayMessage.Closed.class);
        assertThat(closed.subscriptionId()).isEqualTo("bad");
        assertThat(closed.message()).startsWith("invalid: ");
    }

    @Test
    void tooManySubscriptionsAreRefusedOneByOne() {
        for (int i = 0; i < 300; i++) {
            client.stored("s" + i, ofRepo().withLimit(0));
        }
        client.send(new ClientMessage.Req("one-more", List.of(ofRepo())));
        assertThat(client.next(RelayMessage.Closed.class).message()).contains("too many subscriptions");
        assertThat(client.stored("s0", ofRepo())).isEmpty();
    }

    @Test
    void anOverlongSubscriptionIdIsRefused() {
        client.send(new ClientMessage.Req("x".repeat(65), List.of(ofRepo())));
        assertThat(client.next(RelayMessage.Notice.class).message()).startsWith("invalid: ");
    }

    private Filter ofRepo() {
        return Filter.ALL.withTag("a", Set.of(repo));
    }

    private Event announcement() {
        return ALICE.sign(
                30617,
                1_700_000_000,
                List.of(
                        Tag.of("d", identifier),
                        Tag.of("relays", "wss://relay.example"),
                        Tag.of("clone", "https://relay.example/npub1alice/" + identifier + ".git")),
                "");
    }

    private Event issue(long createdAt) {
        return BOB.sign(1621, createdAt, List.of(Tag.of("a", repo)), "it breaks");
    }
}
