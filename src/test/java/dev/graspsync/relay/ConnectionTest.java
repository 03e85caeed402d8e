package dev.graspsync.relay;

import static dev.graspsync.TestKeys.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Tag;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What one bad connection may cost, with limits that are reached quickly. */
@QuarkusTest
@TestProfile(TightLimits.class)
class ConnectionTest {

    private final TestRepo repo = new TestRepo();

    @Test
    void aReaderThatTakesNothingIsCutOffAndOthersAreServed() throws IOException {
        try (TestClient writer = new TestClient()) {
            writer.publish(repo.announcement());
            long total = 0;
            for (int i = 0; i < 80; i++) {
                Event large =
                        BOB.sign(1621, TestRepo.NOON + i, List.of(Tag.of("a", repo.address())), "x".repeat(200_000));
                assertThat(writer.publish(large).accepted()).isTrue();
                total += 200_000;
            }
            double before = cutOff(Liveness.Cut.SLOW);
            RawClient slow = new RawClient(TestClient.port());
            assertThat(slow.head()).startsWith("HTTP/1.1 101");
            slow.send("[\"REQ\",\"slow\",{\"kinds\":[1621]}]");

            long deadline = System.nanoTime() + 20_000_000_000L;
            while (slow.isHeard()) {
                assertThat(System.nanoTime()).as("cut off in time").isLessThan(deadline);
                assertThat(writer.stored("fast", repo.filter().withLimit(5))).hasSize(5);
            }
            assertThat(slow.readToEnd()).isLessThan(total);
            assertCounted(Liveness.Cut.SLOW, before);
            slow.close();
        }
    }

    /** Slow enough to keep the index as it was for long, and too fast to be cut off. */
    @Test
    void whoTricklesThroughWhatIsStoredIsToldToAskForLess() throws IOException {
        try (TestClient writer = new TestClient();
                RawClient slow = new RawClient(TestClient.port())) {
            writer.publish(repo.announcement());
            for (int i = 0; i < 20; i++) {
                Event large =
                        BOB.sign(1621, TestRepo.NOON + i, List.of(Tag.of("a", repo.address())), "x".repeat(200_000));
                assertThat(writer.publish(large).accepted()).isTrue();
            }
            slow.head();
            for (int i = 0; i < 60; i++) {
                slow.send("[\"REQ\",\"slow" + i + "\",{\"#a\":[\"" + repo.address() + "\"]}]");
            }
            String frame = slow.frame();
            while (!frame.contains("CLOSED")) {
                assertThat(frame).as("not everything yet").doesNotContain("slow59\",[\"finish");
                slow.send("[\"CLOSE\",\"none\"]"); // a sign of life
                Awaitility.await().pollDelay(Duration.ofMillis(30)).until(() -> true);
                frame = slow.frame();
            }
            assertThat(frame).contains("error: too slow");
        }
    }

    /** Whether the service's counters can be looked at. */
    boolean isInProcess() {
        return true;
    }

    private void assertCounted(Liveness.Cut reason, double before) {
        if (isInProcess()) {
            assertThat(cutOff(reason)).isGreaterThan(before);
        }
    }

    private static double cutOff(Liveness.Cut reason) {
        return Sessions.cutOff(reason).count();
    }

    @Test
    void aSilentPeerThatAnswersNoPingIsCutOff() throws IOException {
        try (RawClient silent = new RawClient(TestClient.port())) {
            assertThat(silent.head()).startsWith("HTTP/1.1 101");
            assertThat(silent.frame()).contains("AUTH");
            assertThat(silent.frame()).isEqualTo("\u0089");
            double before = cutOff(Liveness.Cut.GONE);
            silent.readToEnd();
            assertCounted(Liveness.Cut.GONE, before);
        }
    }

    @Test
    void whoAnswersPingsStays() {
        try (TestClient idle = new TestClient();
                RawClient silent = new RawClient(TestClient.port())) {
            // The silent one came later and is cut off for its silence: by then the idle one was silent for as long.
            silent.readToEnd();
            idle.assertWorks();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void aFrameFarOverTheLimitClosesTheConnectionWithAReason() throws IOException {
        try (RawClient client = new RawClient(TestClient.port())) {
            client.head();
            assertThat(client.frame()).contains("AUTH");
            client.announce(1L << 40);
            // 1009 as two bytes, then words.
            String close = client.frame();
            assertThat(close).startsWith("\u0088\u0003").hasSizeGreaterThan(4);
        }
    }

    @Test
    void oneConnectionTooManyIsAnsweredWith503() throws IOException {
        List<TestClient> clients = new ArrayList<>();
        try {
            String head = "HTTP/1.1 101";
            while (head.startsWith("HTTP/1.1 101")) {
                assertThat(clients).hasSizeLessThanOrEqualTo(10);
                try (RawClient more = new RawClient(TestClient.port())) {
                    head = more.head();
                }
                if (head.startsWith("HTTP/1.1 101")) {
                    clients.add(new TestClient());
                }
            }
            assertThat(head).startsWith("HTTP/1.1 503");
            clients.getFirst().assertWorks();
        } finally {
            clients.forEach(TestClient::close);
        }
    }

    @Test
    void connectionsThatEndMakeRoom() throws IOException {
        for (int i = 0; i < 50; i++) {
            try (RawClient brief = new RawClient(TestClient.port())) {
                assertThat(brief.head()).startsWith("HTTP/1.1 ");
            }
        }
        String head = "";
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!head.startsWith("HTTP/1.1 101")) {
            assertThat(System.nanoTime()).as("room in time").isLessThan(deadline);
            try (RawClient next = new RawClient(TestClient.port())) {
                head = next.head();
            }
        }
    }

    @Test
    void anEventFromLongAgoIsRefused() {
        try (TestClient client = new TestClient()) {
            RelayMessage.Ok ok = client.publish(repo.issue(1_000_000));
            assertThat(ok.accepted()).isFalse();
            assertThat(ok.message()).startsWith("invalid: created_at");
        }
    }
}
