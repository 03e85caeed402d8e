package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Kind;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
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
}
