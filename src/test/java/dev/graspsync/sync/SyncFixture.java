package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Kind;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service among other relays, all on this machine. */
public abstract class SyncFixture {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    protected Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    /** A service that may dial this machine, and is in a hurry. */
    protected ServiceProcess service(int port, String... properties) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "-Dgrasp.sync.allow-private-targets=true",
                "-Dgrasp.sync.batch-window=200ms",
                "-Dgrasp.sync.backoff.base=500ms",
                "-Dgrasp.sync.backoff.max=2s"));
        all.addAll(List.of(properties));
        return closeLater(ServiceProcess.startAt(port, folder.resolve("service-" + port), all.toArray(String[]::new)));
    }

    protected <T extends AutoCloseable> T closeLater(T resource) {
        open.addFirst(resource);
        return resource;
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
    }

    protected static void publish(int port, List<Corpus.Item> items) throws Exception {
        assertThat(Load.publish(port, items, 1)).as("accepted at port %d", port).isEqualTo(items.size());
    }

    protected static List<Corpus.Item> only(Corpus corpus, Predicate<Corpus.Item> which) {
        return corpus.items().stream().filter(which).toList();
    }

    protected static boolean isAnnouncement(Corpus.Item item) {
        return item.event().kind() == Kind.REPO_ANNOUNCEMENT;
    }

    protected static boolean isRoot(Corpus.Item item) {
        return Kind.isRoot(item.event().kind());
    }

    /** What no other event needs: it can be missing alone. */
    protected static boolean isReply(Corpus.Item item) {
        return !isAnnouncement(item) && !isRoot(item) && item.event().kind() != Kind.REPO_STATE;
    }

    protected static void awaitAll(int port, Set<String> expected) {
        Awaitility.await("all %d events at port %d".formatted(expected.size(), port))
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .untilAsserted(() -> {
                    Set<String> missing = new HashSet<>(expected);
                    missing.removeAll(Load.ids(port));
                    assertThat(missing).isEmpty();
                });
    }

    protected static void awaitCount(ServiceProcess service, long least) {
        Awaitility.await("%d events at port %d".formatted(least, service.port()))
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> Load.count(service.port()) >= least);
    }

    protected static void awaitLog(ServiceProcess service, String words) {
        Awaitility.await("the log of port %d says: %s".formatted(service.port(), words))
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> service.log().contains(words));
    }

    /** All repositories and root events are wanted of a relay, and confirmed. */
    protected static void awaitSynced(ServiceProcess service, String relay, Corpus... corpora) {
        Awaitility.await("all of %s is confirmed at port %d".formatted(relay, service.port()))
                .atMost(PATIENCE)
                .until(() -> {
                    JsonPath seen = seen(service, relay);
                    return "synced".equals(seen.get("phase"))
                            && wanted(seen) >= itemsOf(corpora)
                            && seen.getLong("confirmed") == seen.getLong("items");
                });
    }

    /** It has read its own relay, and knows what to ask another one for. */
    protected static void awaitWanted(ServiceProcess service, String relay, Corpus... corpora) {
        Awaitility.await("all is wanted of %s at port %d".formatted(relay, service.port()))
                .atMost(PATIENCE)
                .until(() -> wanted(seen(service, relay)) >= itemsOf(corpora));
    }

    private static JsonPath seen(ServiceProcess service, String relay) {
        return RestAssured.get("http://127.0.0.1:" + service.port() + "/api/relays/{url}", relay)
                .jsonPath();
    }

    private static int wanted(JsonPath seen) {
        return seen.<List<Integer>>get("layers.findAll { it.layer in [2, 3] }.items").stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** How many repositories and root events there are. */
    private static long itemsOf(Corpus... corpora) {
        return Stream.of(corpora)
                .flatMap(corpus -> corpus.items().stream())
                .filter(item -> isAnnouncement(item) || isRoot(item))
                .count();
    }

    /** @param pattern of its name after {@code ngit_sync_} and its labels; -1 if there is none */
    protected static double metric(ServiceProcess service, String pattern) {
        String scraped = RestAssured.get("http://127.0.0.1:" + service.managementPort() + "/q/metrics")
                .asString();
        Matcher line = Pattern.compile("(?m)^ngit_sync_" + pattern + " (\\S+)$").matcher(scraped);
        return line.find() ? Double.parseDouble(line.group(1)) : -1;
    }
}
