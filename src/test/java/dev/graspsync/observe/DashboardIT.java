package dev.graspsync.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.Tag;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.NodeFolder;
import dev.graspsync.process.NpmRelay;
import dev.graspsync.process.ServiceProcess;
import dev.graspsync.sync.SyncFixture;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The dashboard in a browser, as src/test/interop/dashboard drives it. Three relays are named by the repositories: one
 * is well, one is a closed port, one has more events in a second than it ever hands out. What the pages looked like is
 * in target/screenshots.
 */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class DashboardIT extends SyncFixture {

    private static final NodeFolder SCRIPTS = new NodeFolder(Path.of("src/test/interop/dashboard"));
    /** One folder for each way to build the service, which is tested as the one and then as the other. */
    private static final Path SCREENSHOTS = Path.of(
            "target/screenshots", System.getProperty("service.binary", "").isEmpty() ? "jvm" : "native");

    private static final String TOKEN = "the operator's token";
    private static final int CAP = 20;

    private final int port = ServiceProcess.freePort();
    private final int healthy = ServiceProcess.freePort();
    private final int capping = ServiceProcess.freePort();
    private final String dead = "ws://127.0.0.1:" + ServiceProcess.freePort();

    @BeforeAll
    static void install() throws Exception {
        assumeThat(SCRIPTS.has(chromium()))
                .as("chromium is installed; without it the tests of the dashboard are skipped")
                .isTrue();
        SCRIPTS.assumeInstalled("the tests of the dashboard");
        NpmRelay.assumeInstalled();
    }

    private static String chromium() {
        return System.getenv().getOrDefault("CHROMIUM", "/usr/bin/chromium");
    }

    @Test
    void itShowsEachRelayAndWhyEventsAreHereOrNotAndFollowsWhatChanges() throws Exception {
        NpmRelay npm = closeLater(NpmRelay.start(capping, CAP, folder.resolve("npm-relay.jsonl")));
        ServiceProcess other = service(healthy, "-Dgrasp.sync.enabled=false");
        Corpus corpus = Corpus.generate(51, 3, 5, 0, Corpus.Places.local(List.of(port, healthy), npm.url(), dead));
        String repository = corpus.addresses().getFirst();
        publish(healthy, corpus.items());
        publish(capping, only(corpus, SyncFixture::isAnnouncement));
        publish(capping, issuesOfOneSecond(repository, 2 * CAP));
        ServiceProcess service = service(port, "-Dgrasp.api.token=" + TOKEN, "-Dgrasp.sync.backoff.dead-after=20s");
        publish(port, only(corpus, SyncFixture::isAnnouncement));
        awaitAll(port, corpus.acceptedIds());

        Map<String, String> facts = Map.of(
                "HEALTHY", other.relayUrl(),
                "DEAD", dead,
                "CAPPING", npm.url(),
                "REPOSITORY", repository,
                "EVENT", corpus.roots().getFirst(),
                "MISSING", "0123456789abcdef".repeat(4),
                "TOKEN", TOKEN);
        run("dashboard.test.mjs", service, facts, other);

        assertThat(service.log()).doesNotContain(TOKEN);
    }

    @Test
    void itStaysUsableWithManyRelaysAndRepositoriesAndWhereThereIsNothing() throws Exception {
        ServiceProcess service = service(port, "-Dgrasp.sync.enabled=false");

        run("large.test.mjs", service, Map.of(), service);
    }

    /** More than the relay hands out, and paging by time cannot get at the rest. */
    private static List<Corpus.Item> issuesOfOneSecond(String repository, int count) {
        TestKeys reporter = TestKeys.named("reporter");
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    Event issue =
                            reporter.sign(Kind.ISSUE, 1_770_000_000L, List.of(Tag.of("a", repository)), "issue " + i);
                    return Corpus.Item.of(issue, true);
                })
                .toList();
    }

    private static void run(String script, ServiceProcess service, Map<String, String> facts, ServiceProcess relay)
            throws Exception {
        Files.createDirectories(SCREENSHOTS);
        ProcessBuilder builder = SCRIPTS.builder("node", script);
        builder.environment().putAll(facts);
        builder.environment().put("SERVICE", "http://127.0.0.1:" + service.port());
        builder.environment().put("SCREENSHOTS", SCREENSHOTS.toAbsolutePath().toString());
        builder.environment().put("CHROMIUM", chromium());
        Process process = builder.start();
        // Reading what it says cannot be interrupted, so its end has to come from elsewhere.
        CompletableFuture.delayedExecutor(7, TimeUnit.MINUTES).execute(process::destroyForcibly);
        StringBuilder said = new StringBuilder();
        try (BufferedReader out = process.inputReader(UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                said.append(line).append('\n');
                switch (line) {
                    case "do: drop the healthy relay" -> relay.kill();
                    case "do: bring the healthy relay back" -> relay.startAgain();
                    default -> {}
                }
            }
            assertThat(process.waitFor()).as(said.toString()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
