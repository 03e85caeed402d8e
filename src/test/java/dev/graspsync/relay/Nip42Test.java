package dev.graspsync.relay;

import static dev.graspsync.TestKeys.ALICE;
import static dev.graspsync.TestKeys.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Authentication of clients. */
@QuarkusTest
class Nip42Test {

    private static final String RELAY = "wss://relay.example/";

    private TestClient client;

    @BeforeEach
    void connect() {
        client = new TestClient();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    static Event answer(TestKeys who, String challenge) {
        return answer(who, RELAY, challenge, Instant.now().getEpochSecond());
    }

    private static Event answer(TestKeys who, String relay, String challenge, long at) {
        return who.sign(22_242, at, List.of(Tag.of("relay", relay), Tag.of("challenge", challenge)), "");
    }

    private void assertRefused(Event event) {
        RelayMessage.Ok ok = client.auth(event);
        assertThat(ok.eventId()).isEqualTo(event.id());
        assertThat(ok.accepted()).isFalse();
        assertThat(ok.message()).startsWith("invalid: ");
    }

    @Test
    void eachConnectionHasAChallengeOfItsOwn() {
        try (TestClient other = new TestClient()) {
            assertThat(client.challenge()).isNotEmpty().isNotEqualTo(other.challenge());
        }
    }

    @Test
    void severalPeopleAuthenticateOnOneConnection() {
        for (TestKeys who : List.of(ALICE, BOB)) {
            Event event = answer(who, client.challenge());
            assertThat(client.auth(event)).isEqualTo(new RelayMessage.Ok(event.id(), true, ""));
        }
    }

    @Test
    void theChallengeOfAnotherConnectionIsRefused() {
        try (TestClient other = new TestClient()) {
            assertRefused(answer(ALICE, other.challenge()));
        }
    }

    @Test
    void anAnswerToAnotherRelayIsRefused() {
        long now = Instant.now().getEpochSecond();
        for (String url : List.of(
                "wss://relay.example.evil/",
                "wss://evil-relay.example/",
                "wss://relay.example@evil.example/",
                "wss://relay.example:444/",
                "https://relay.example/",
                "")) {
            assertRefused(answer(ALICE, url, client.challenge(), now));
        }
    }

    @Test
    void anAnswerFarFromNowIsRefused() {
        long now = Instant.now().getEpochSecond();
        assertRefused(answer(ALICE, RELAY, client.challenge(), now - 700));
        assertRefused(answer(ALICE, RELAY, client.challenge(), now + 700));
        assertRefused(answer(ALICE, RELAY, client.challenge(), Long.MAX_VALUE));
        assertThat(client.auth(answer(ALICE, RELAY, client.challenge(), now - 500))
                        .accepted())
                .isTrue();
    }

    @Test
    void anotherKindIsRefused() {
        assertRefused(ALICE.sign(
                1,
                Instant.now().getEpochSecond(),
                List.of(Tag.of("relay", RELAY), Tag.of("challenge", client.challenge())),
                ""));
    }

    @Test
    void aWrongSignatureIsRefused() {
        Event good = answer(ALICE, client.challenge());
        assertRefused(new Event(
                good.id(),
                good.pubkey(),
                good.createdAt(),
                good.kind(),
                good.tags(),
                good.content(),
                Signature.ofBytes(new byte[64])));
    }

    @Test
    void aWrongIdIsRefused() {
        Event good = answer(ALICE, client.challenge());
        assertRefused(new Event(
                good.id(), BOB.pubkey(), good.createdAt(), good.kind(), good.tags(), good.content(), good.sig()));
    }
}
