package dev.graspsync.relay;

import static dev.graspsync.TestKeys.BOB;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Signature;
import dev.graspsync.wire.ClientMessageWriter;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a client sends, it hears what is wrong with it, and the connection goes on working. */
@QuarkusTest
class BadInputTest {

    private static final int LIMIT = 524_288;

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

    private void assertNotice() {
        assertThat(client.next(RelayMessage.Notice.class).message()).startsWith("invalid: ");
        client.assertWorks();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello",
                "",
                "[]",
                "{}",
                "[1,2",
                "[1]",
                "[\"PARTY\"]",
                "[\"EVENT\"]",
                "[\"EVENT\",5]",
                "[\"REQ\"]",
                "[\"REQ\",7,{}]",
                "[\"CLOSE\",{}]",
                "[\"AUTH\",\"who\"]",
                "[\"REQ\",\"\",{}]",
                "[[[[[[[[[[[[[[[[[[[[[[[[",
                "\"\\ud800\""
            })
    void whatIsNoMessageGetsANotice(String text) {
        client.sendText(text);
        assertNotice();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kinds\":[\"1\"]}",
                "{\"kinds\":1}",
                "{\"ids\":[\"abc\"]}",
                "{\"authors\":[5]}",
                "{\"since\":\"1\"}",
                "{\"since\":1.5}",
                "{\"until\":-1}",
                "{\"limit\":1e3}",
                "{\"#e\":\"x\"}",
                "{\"search\":\"x\"}",
                "[]",
                "\"x\""
            })
    void aBadFilterClosesItsSubscription(String filter) {
        for (String type : List.of("REQ", "COUNT")) {
            client.sendText("[\"" + type + "\",\"bad\"," + filter + "]");
            RelayMessage.Closed closed = client.next(RelayMessage.Closed.class);
            assertThat(closed.subscriptionId()).isEqualTo("bad");
            assertThat(closed.message()).startsWith("invalid: ");
        }
        client.assertWorks();
    }

    @Test
    void aReqWithoutAFilterIsClosed() {
        client.sendText("[\"REQ\",\"bad\"]");
        assertThat(client.next(RelayMessage.Closed.class).message()).startsWith("invalid: ");
        client.assertWorks();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"kind\":1621>\"kind\":\"1621\"", "\"tags\":[[>\"tags\":[[5,", "\"sig\":\">\"sig\":\"zz"})
    void anEventWithWrongTypesIsRefusedByItsId(String change) {
        String[] fromTo = change.split(">");
        Event event = repo.issue(TestRepo.NOON);
        String text = new String(ClientMessageWriter.write(new ClientMessage.Event(event)), UTF_8);
        assertThat(text).contains(fromTo[0]);
        client.sendText(text.replace(fromTo[0], fromTo[1]));
        assertRefused(event);
    }

    @Test
    void aWrongIdIsRefused() {
        Event good = repo.announcement();
        Event bad = new Event(
                good.id(), good.pubkey(), good.createdAt() + 1, good.kind(), good.tags(), good.content(), good.sig());
        client.send(new ClientMessage.Event(bad));
        assertRefused(bad);
    }

    @Test
    void aWrongSignatureIsRefusedAndTheRightOneIsTakenAfterwards() {
        Event good = repo.announcement();
        Event bad = new Event(
                good.id(),
                good.pubkey(),
                good.createdAt(),
                good.kind(),
                good.tags(),
                good.content(),
                Signature.ofBytes(new byte[64]));
        client.send(new ClientMessage.Event(bad));
        assertRefused(bad);
        assertThat(client.publish(good).accepted()).isTrue();
    }

    private void assertRefused(Event event) {
        RelayMessage.Ok ok = client.next(RelayMessage.Ok.class);
        assertThat(ok.eventId()).isEqualTo(event.id());
        assertThat(ok.accepted()).isFalse();
        assertThat(ok.message()).startsWith("invalid: ");
        client.assertWorks();
    }

    @Test
    void anEventFromTheFutureIsRefused() {
        long now = Instant.now().getEpochSecond();
        client.publish(repo.announcement());
        assertThat(client.publish(repo.issue(now + 3_600)).message()).startsWith("invalid: created_at");
        assertThat(client.publish(repo.issue(now + 60)).accepted()).isTrue();
    }

    @Test
    void aMessageOverTheLimitGetsANotice() {
        client.sendText("[\"REQ\",\"" + "x".repeat(LIMIT) + "\",{}]");
        assertNotice();
    }

    @Test
    void aMessageOverTheLimitInSmallFramesGetsANoticeHoweverLongItIs() {
        client.sendFragments("[\"REQ\",\"" + "x".repeat(8 * LIMIT) + "\",{}]", 60_000);
        assertNotice();
    }

    @Test
    void aMessageInSmallFramesIsUnderstood() {
        client.sendFragments("[\"REQ\",\"pieces\",{\"limit\":0}]", 5);
        assertThat(client.next(RelayMessage.Eose.class).subscriptionId()).isEqualTo("pieces");
    }

    @Test
    void aBinaryFrameGetsANotice() {
        client.sendBinary("[\"REQ\",\"b\",{}]".getBytes(UTF_8));
        assertNotice();
    }

    @Test
    void tooManySubscriptionsAreRefusedOneByOne() {
        for (int i = 0; i < 300; i++) {
            client.stored("s" + i, repo.filter().withLimit(0));
        }
        client.send(new ClientMessage.Req("one-more", List.of(repo.filter())));
        RelayMessage.Closed closed = client.next(RelayMessage.Closed.class);
        assertThat(closed.subscriptionId()).isEqualTo("one-more");
        assertThat(closed.message()).contains("too many subscriptions");
        assertThat(client.stored("s0", repo.filter())).isEmpty();
        client.send(new ClientMessage.Close("s1"));
        client.assertWorks();
    }

    @Test
    void tooManyFiltersCloseTheSubscription() {
        List<Filter> filters = Collections.nCopies(201, repo.filter());
        client.send(new ClientMessage.Req("many", filters));
        assertThat(client.next(RelayMessage.Closed.class).message()).startsWith("invalid: too many filters");
        client.send(new ClientMessage.Count("many", filters));
        assertThat(client.next(RelayMessage.Closed.class).message()).startsWith("invalid: too many filters");
        client.assertWorks();
    }

    @Test
    void anOverlongSubscriptionIdGetsANotice() {
        client.send(new ClientMessage.Req("x".repeat(65), List.of(repo.filter())));
        assertNotice();
    }

    @Test
    void authenticationIsNotPublished() {
        RelayMessage.Ok ok = client.publish(BOB.sign(22_242, TestRepo.NOON, List.of(), ""));
        assertThat(ok.accepted()).isFalse();
        assertThat(ok.message()).startsWith("invalid: ");
    }
}
