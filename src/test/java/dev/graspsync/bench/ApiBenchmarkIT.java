package dev.graspsync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Kind;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long the status API and a scrape take with many repositories and relays while events come in, from clients and from
 * a relay whose history is being read, and what a scrape each second costs these. Nobody listens at the other relays, so
 * the sync goes on trying them. It asserts that answers are complete; how long they take, it prints. The client and that
 * relay share the cores.
 */
@Tag("bench")
class ApiBenchmarkIT {

    private static final int REPOSITORIES = Integer.getInteger("bench.repositories", 10_000);
    private static final int RELAYS = Integer.getInteger("bench.relays", 500);
    /** Those, and the one that has a history. */
    private static final int KNOWN = RELAYS + 1;

    private static final int RELAYS_EACH = 5;
    private static final int OWNERS = 500;
    private static final int ROOTS = 50;
    private static final int LOAD = Math.max(5, REPOSITORIES / 20);
    private static final Duration TARGET = Duration.ofMillis(100);

    /** What is asked, and how an answer shows that it is complete. */
    private record Question(String path, URI uri, Predicate<String> complete) {}

    @TempDir
    Path temp;

    private final int port = ServiceProcess.freePort();
    private final int sourcePort = ServiceProcess.freePort();
    private final Table table = new Table();
    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private int seed;

    @Test
    void measuresAnswersWhileEventsComeIn() throws Exception {
        List<Corpus.Item> announcements = IntStream.range(0, REPOSITORIES)
                .parallel()
                .mapToObj(this::announcement)
                .toList();
        try (http;
                threads;
                ServiceProcess source =
                        ServiceProcess.startAt(sourcePort, temp.resolve("source"), "-Dgrasp.sync.enabled=false");
                ServiceProcess service = ServiceProcess.startAt(
                        port,
                        temp.resolve("service"),
                        "-Dgrasp.sync.allow-private-targets=true",
                        "-Dgrasp.sync.max-relays=" + KNOWN)) {
            assertThat(Load.publish(port, announcements, 2)).isEqualTo(REPOSITORIES);
            Awaitility.await("all relays and repositories are seen")
                    .atMost(Duration.ofMinutes(3))
                    .untilAsserted(() -> {
                        JsonNode sync = tree(get(api("status"))).path("sync");
                        assertThat(sync.at("/relays/known").asInt()).isEqualTo(KNOWN);
                        assertThat(sync.path("repositories").asInt()).isEqualTo(REPOSITORIES);
                        // The list of names follows some seconds later.
                        assertThat(tree(get(api("repos?limit=1"))).path("total").asInt())
                                .isEqualTo(REPOSITORIES);
                    });
            publish(service, load());
            ingest("nobody asks", publish(service, load()));
            ingest("a scrape each second", publishScraped(service, load()));
            Corpus history = Corpus.generate(++seed, LOAD, ROOTS, 0, Corpus.Places.local(List.of(port, sourcePort)));
            assertThat(Load.publish(source.port(), history.items(), 4)).isPositive();
            measureAnswers(questions(service, announcements.getFirst()), history);
        }
        System.out.println(table);
    }

    private Corpus.Item announcement(int number) {
        List<String> relays = new ArrayList<>(List.of("relays", "ws://127.0.0.1:" + port));
        for (int i = 0; i < RELAYS_EACH; i++) {
            int relay = (number * RELAYS_EACH + i) % RELAYS;
            relays.add("ws://127.1.%d.%d:1".formatted(relay / 250, relay % 250 + 1));
        }
        if (number == 0) {
            relays.add("ws://127.0.0.1:" + sourcePort);
        }
        return Corpus.Item.of(
                TestKeys.named("owner " + number % OWNERS)
                        .sign(
                                30617,
                                1_700_000_000L + number,
                                List.of(
                                        dev.graspsync.nostr.Tag.of("d", "api-" + number),
                                        dev.graspsync.nostr.Tag.of("name", "Repository " + number),
                                        dev.graspsync.nostr.Tag.of(
                                                "clone", "http://127.0.0.1:" + port + "/x/api-" + number + ".git"),
                                        dev.graspsync.nostr.Tag.of(relays.toArray(String[]::new))),
                                ""),
                true);
    }

    private Corpus load() {
        return Corpus.generate(++seed, LOAD, ROOTS, 0, Corpus.Places.local(List.of(port)));
    }

    private Measured publish(ServiceProcess service, Corpus corpus) throws Exception {
        return Measured.of(
                corpus.size(),
                service,
                () -> assertThat(Load.publish(port, corpus.items(), 4)).isPositive());
    }

    private Measured publishScraped(ServiceProcess service, Corpus corpus) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Future<Integer> scrapes = threads.submit(() -> {
            int count = 0;
            for (; !done.get(); count++) {
                assertThat(get(metrics(service))).contains("ngit_sync_relays_tracked_total");
                TimeUnit.SECONDS.sleep(1);
            }
            return count;
        });
        Measured measured = publish(service, corpus);
        done.set(true);
        assertThat(scrapes.get()).isPositive();
        return measured;
    }

    private void ingest(String asked, Measured measured) {
        table.row(
                "ingest of %,d events, %s".formatted(measured.things(), asked),
                "%,.0f events/s".formatted(measured.perSecond()),
                "",
                measured.cores());
    }

    private List<Question> questions(ServiceProcess service, Corpus.Item announcement) {
        String metric = "ngit_sync_relays_tracked_total " + KNOWN + ".0";
        return List.of(
                question(
                        "relays?limit=1000",
                        answer -> tree(answer).path("relays").size() == KNOWN),
                question("repos", answer -> tree(answer).path("total").asInt() >= REPOSITORIES),
                question(
                        "status",
                        answer -> tree(answer).at("/sync/relays/known").asInt() == KNOWN),
                question(
                        "explain?id=" + announcement.event().id().hex(),
                        answer -> tree(answer).path("here").asBoolean()),
                question(
                        "explain?id=" + "0".repeat(64),
                        answer -> tree(answer).path("verdict").asText().equals("never-offered")),
                new Question("/q/metrics", metrics(service), answer -> answer.contains(metric)));
    }

    private Question question(String path, Predicate<String> complete) {
        return new Question("/api/" + path.replaceFirst("[0-9a-f]{56}$", "…"), api(path), complete);
    }

    /** One question after another, for as long as events come in. Announced, a history is read from its relay. */
    private void measureAnswers(List<Question> questions, Corpus history) throws Exception {
        List<Corpus> loads = List.of(load(), load());
        List<Corpus.Item> announced = history.items().stream()
                .filter(item -> item.event().kind() == Kind.REPO_ANNOUNCEMENT)
                .toList();
        long before = fetched();
        Future<Integer> published = threads.submit(() -> {
            int events = Load.publish(port, announced, 1);
            for (Corpus corpus : loads) {
                events += Load.publish(port, corpus.items(), 4);
            }
            return events;
        });
        List<List<Long>> nanos = questions.stream()
                .<List<Long>>map(question -> new ArrayList<>())
                .toList();
        do {
            for (int i = 0; i < questions.size(); i++) {
                nanos.get(i).add(ask(questions.get(i)));
            }
        } while (!published.isDone());
        long fetched = fetched() - before;
        assertThat(fetched).as("events of the history that was read meanwhile").isPositive();
        for (int i = 0; i < questions.size(); i++) {
            List<Long> sorted = nanos.get(i).stream().sorted().toList();
            table.row(
                    questions.get(i).path(),
                    "%.1f / %.1f / %.1f ms".formatted(millis(sorted, 50), millis(sorted, 95), millis(sorted, 99)),
                    "< %d ms".formatted(TARGET.toMillis()),
                    "p50 / p95 / p99 of %d, while %,d events came in and %,d were fetched"
                            .formatted(sorted.size(), published.get(), fetched));
        }
    }

    /** Events stored that a relay had. */
    private long fetched() throws Exception {
        JsonNode stored = tree(get(api("status"))).at("/ingest/stored");
        return stored.path("first_sync").asLong()
                + stored.path("catch_up").asLong()
                + stored.path("live").asLong();
    }

    private long ask(Question question) throws Exception {
        long start = System.nanoTime();
        String answer = get(question.uri());
        long taken = System.nanoTime() - start;
        assertThat(question.complete().test(answer))
                .as("%s is complete: %.300s", question.path(), answer)
                .isTrue();
        return taken;
    }

    private static double millis(List<Long> sorted, int percent) {
        return sorted.get((sorted.size() - 1) * percent / 100) / 1e6;
    }

    private URI api(String path) {
        return URI.create("http://127.0.0.1:" + port + "/api/" + path);
    }

    private static URI metrics(ServiceProcess service) {
        return URI.create("http://127.0.0.1:" + service.managementPort() + "/q/metrics");
    }

    private String get(URI uri) throws IOException, InterruptedException {
        HttpResponse<String> response =
                http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as("%s", uri).isEqualTo(200);
        return response.body();
    }

    private static JsonNode tree(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
