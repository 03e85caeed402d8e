package dev.graspsync.relay;

import static dev.graspsync.TestKeys.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Tag;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Between what is stored and what is live, nothing is lost and nothing comes twice. */
@QuarkusTest
class LiveDeliveryTest {

    private static final int EVENTS = 3_000;
    private static final int WRITERS = 3;
    private static final int READERS = 24;

    private final TestRepo repo = new TestRepo();

    @Test
    void whoSubscribesWhileOthersPublishSeesEachEventOnce() throws Exception {
        List<Event> events = IntStream.range(0, EVENTS)
                .mapToObj(i ->
                        BOB.sign(1621, TestRepo.NOON + i % 100, List.of(Tag.of("a", repo.address())), "number " + i))
                .toList();
        try (TestClient first = new TestClient();
                ExecutorService people = Executors.newVirtualThreadPerTaskExecutor()) {
            first.publish(repo.announcement());
            CompletableFuture<Void> start = new CompletableFuture<>();
            List<Future<?>> writers = new ArrayList<>();
            for (int w = 0; w < WRITERS; w++) {
                List<Event> share = events.subList(w * EVENTS / WRITERS, (w + 1) * EVENTS / WRITERS);
                writers.add(people.submit(() -> publish(share, start)));
            }
            List<Future<List<EventId>>> readers = new ArrayList<>();
            for (int r = 0; r < READERS; r++) {
                int after = r * EVENTS / READERS / 2;
                readers.add(people.submit(() -> readAll(after)));
            }
            start.complete(null);
            List<EventId> expected = events.stream().map(Event::id).toList();
            for (Future<?> writer : writers) {
                writer.get(60, TimeUnit.SECONDS);
            }
            for (Future<List<EventId>> reader : readers) {
                assertThat(reader.get(60, TimeUnit.SECONDS)).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    private static void publish(List<Event> share, CompletableFuture<Void> start) {
        start.join();
        try (TestClient client = new TestClient()) {
            share.forEach(event -> client.send(new ClientMessage.Event(event)));
            share.forEach(event ->
                    assertThat(client.next(RelayMessage.Ok.class).accepted()).isTrue());
        }
    }

    /** Opens once that many are there, so that the readers begin all over the time of the writing. */
    private List<EventId> readAll(int after) {
        try (TestClient client = new TestClient()) {
            long count = 0;
            while (count < after) {
                client.send(new ClientMessage.Count("c", List.of(repo.filter())));
                count = client.next(RelayMessage.Count.class).count();
            }
            client.send(new ClientMessage.Req("all", List.of(repo.filter())));
            List<EventId> seen = new ArrayList<>();
            int ends = 0;
            while (seen.size() < EVENTS || ends == 0) {
                RelayMessage message = client.next();
                if (message instanceof RelayMessage.Event(String subscription, Event event)) {
                    seen.add(event.id());
                } else {
                    assertThat(message).isInstanceOf(RelayMessage.Eose.class);
                    ends++;
                }
            }
            // Whatever came twice would come before the answer to this.
            client.assertWorks();
            return seen;
        }
    }
}
