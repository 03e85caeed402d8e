package dev.graspsync.relay;

import static dev.graspsync.TestKeys.BOB;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Tag;
import dev.graspsync.wire.ClientMessageWriter;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What one client may hold of the relay's memory and of its workers. */
@QuarkusTest
class GreedyClientTest {

    /** "I have nothing at all": answered with as many ids as fit into a frame. */
    private static final NegentropyMessage EVERYTHING =
            new NegentropyMessage(HexFormat.of().parseHex("6100000200"));

    private final TestRepo repo = new TestRepo();

    @Inject
    Relay relay;

    @Inject
    Vertx vertx;

    @Test
    void filtersThatAreTooLargeTogetherAreRefusedUntilSomeAreClosed() {
        long before = relay.questionRoom().taken();
        try (TestClient client = new TestClient()) {
            int open = 0;
            client.send(largeReq("large" + open));
            RelayMessage answer = client.next();
            while (answer instanceof RelayMessage.Eose && open < 300) {
                open++;
                client.send(largeReq("large" + open));
                answer = client.next();
            }
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            RelayMessage.Closed.class,
                            refused -> assertThat(refused.message()).startsWith("rate-limited: "));
            try (TestClient other = new TestClient()) {
                other.assertWorks();
            }
            client.send(new ClientMessage.Close("large0"));
            client.send(largeReq("again"));
            assertThat(client.next(RelayMessage.Eose.class).subscriptionId()).isEqualTo("again");
            client.send(new ClientMessage.Count("count", largeFilters()));
            assertThat(client.next(RelayMessage.Closed.class).message()).startsWith("rate-limited: ");
        }
        await().until(() -> relay.questionRoom().taken() <= before);
    }

    @Test
    void whatAClientThatDoesNotReadReplacesIsLetGoAtOnce() throws IOException {
        try (TestClient writer = new TestClient();
                RawClient deaf = new RawClient(TestClient.port())) {
            writer.publish(repo.announcement());
            for (int i = 0; i < 50; i++) {
                assertThat(writer.publish(large(i)).accepted()).isTrue();
            }
            long before = relay.questionRoom().taken();
            deaf.send(text(new ClientMessage.Req("all", List.of(repo.filter()))));
            String again = text(largeReq("again"));
            for (int i = 0; i < 300; i++) {
                deaf.send(again);
            }
            Event last = repo.issue(TestRepo.NOON + 1_000);
            deaf.send(text(new ClientMessage.Event(last)));

            await().atMost(Duration.ofMinutes(1))
                    .until(() -> relay.store().find(last.id()).isPresent());
            assertThat(relay.questionRoom().taken() - before).isLessThan(3L * again.length() + 3_000_000);
        }
    }

    @Test
    void aClientThatDoesNotTakeLargeAnswersIsNotReadAnyMore() throws IOException {
        try (TestClient reader = new TestClient();
                RawClient deaf = new RawClient(TestClient.port())) {
            reader.publish(repo.announcement());
            for (int i = 0; i < 2_000; i++) {
                reader.send(new ClientMessage.Event(repo.issue(TestRepo.NOON + i)));
            }
            for (int i = 0; i < 2_000; i++) {
                assertThat(reader.next(RelayMessage.Ok.class).accepted()).isTrue();
            }
            for (int i = 0; i < 150; i++) {
                deaf.send(text(new ClientMessage.NegOpen("neg" + i % 16, repo.filter(), EVERYTHING)));
                // The same for somebody who listens: when this is answered, the other is too, or nearly so.
                reader.send(new ClientMessage.NegOpen("pace", repo.filter(), EVERYTHING));
                assertThat(reader.next(RelayMessage.NegMsg.class).message().bytes())
                        .hasSizeGreaterThan(50_000);
            }
            Event last = repo.issue(TestRepo.NOON + 5_000);
            deaf.send(text(new ClientMessage.Event(last)));

            await().during(Duration.ofSeconds(2))
                    .until(() -> relay.store().find(last.id()).isEmpty());
            Thread.startVirtualThread(() -> {
                try {
                    deaf.readToEnd();
                } catch (IOException end) {
                    // the test is over
                }
            });
            await().until(() -> relay.store().find(last.id()).isPresent());
        }
    }

    @Test
    void manyCountsAreAllAnsweredInTheirOrder() {
        try (TestClient client = new TestClient()) {
            client.publish(repo.announcement());
            client.publish(repo.issue(TestRepo.NOON));
            for (int i = 0; i < 100; i++) {
                client.send(new ClientMessage.Count("count" + i, List.of(repo.filter())));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(client.next()).isEqualTo(new RelayMessage.Count("count" + i, 1, false));
            }
        }
    }

    @Test
    void aComparisonThatIsKeptAliveEndsAllTheSame() {
        Queue<RelayMessage> answers = new ConcurrentLinkedQueue<>();
        Context context = vertx.getOrCreateContext();
        SharedRoom room = new SharedRoom(1_000_000);
        Comparisons comparisons = new Comparisons(relay, context, room.share(), answers::add);
        Instant start = Instant.now();
        context.runOnContext(none -> comparisons.open("neg", repo.filter(), 100, EVERYTHING));
        await().until(() -> answers.poll() instanceof RelayMessage.NegMsg);

        context.runOnContext(none -> {
            comparisons.expire(start.plus(Duration.ofMinutes(1)));
            comparisons.message("neg", EVERYTHING);
        });
        await().until(() -> answers.poll() instanceof RelayMessage.NegMsg);
        context.runOnContext(none -> comparisons.expire(start.plus(Duration.ofMinutes(11))));

        await().until(() -> answers.poll() instanceof RelayMessage.NegErr ended
                && ended.reason().contains("open for too long"));
        assertThat(room.taken()).isZero();
    }

    private Event large(int i) {
        return BOB.sign(1621, TestRepo.NOON + i, List.of(Tag.of("a", repo.address())), "x".repeat(200_000));
    }

    private static ClientMessage.Req largeReq(String id) {
        return new ClientMessage.Req(id, largeFilters());
    }

    private static List<Filter> largeFilters() {
        Set<EventId> ids = new LinkedHashSet<>();
        for (int i = 0; i < 7_000; i++) {
            ids.add(new EventId(i, 1, 2, 3));
        }
        return List.of(Filter.ALL.withIds(ids));
    }

    private static String text(ClientMessage message) {
        return new String(ClientMessageWriter.write(message), UTF_8);
    }
}
