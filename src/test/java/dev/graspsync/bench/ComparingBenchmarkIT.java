package dev.graspsync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Kind;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import io.restassured.RestAssured;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What comparing by NIP-77 costs two services: one that has all events, and one that lacks a random 1 %, and then nothing.
 * The bytes and the processors' time are of what happens between the connection and the word that all is synced; the
 * service that asks runs before, and has read its own relay.
 */
@Tag("bench")
class ComparingBenchmarkIT {

    private static final int REPOSITORIES = Integer.getInteger("bench.repositories", 1_000);
    private static final int ROOTS = 50;
    /** So long that the other service has started and come to rest when it is dialled. */
    private static final String DIALS = "20s";

    @TempDir
    Path temp;

    private final int sourcePort = ServiceProcess.freePort();
    private final int sinkPort = ServiceProcess.freePort();
    private final Table table = new Table();

    @Test
    void measuresComparing() throws Exception {
        Corpus corpus = Corpus.generate(1, REPOSITORIES, ROOTS, 0, Corpus.Places.local(List.of(sourcePort, sinkPort)));
        Random random = new Random(1);
        // Replies: what they refer to is here, so that each can be stored without them.
        List<Corpus.Item> most = corpus.items().stream()
                .filter(item -> item.event().kind() == Kind.REPO_ANNOUNCEMENT
                        || Kind.isRoot(item.event().kind())
                        || random.nextInt(50) > 0)
                .toList();
        try (ServiceProcess source =
                ServiceProcess.startAt(sourcePort, temp.resolve("source"), "-Dgrasp.sync.enabled=false")) {
            assertThat(Load.publish(sourcePort, corpus.items(), 4)).isPositive();
            source.stop();
            try (ServiceProcess sink = startSink(source)) {
                Load.publish(sinkPort, most, 4);
                long missing = corpus.accepted() - Load.count(sinkPort);
                compare("%,d of %,d missing".formatted(missing, corpus.accepted()), source, sink);
                assertThat(Load.ids(sinkPort)).isEqualTo(corpus.acceptedIds());
                source.stop();
                sink.stop();
                sink.startAgain();
                compare("identical, %,d events".formatted(corpus.accepted()), source, sink);
            }
        }
        System.out.println(table);
    }

    private ServiceProcess startSink(ServiceProcess source) throws Exception {
        return ServiceProcess.startAt(
                sinkPort,
                temp.resolve("sink"),
                "-Dgrasp.sync.allow-private-targets=true",
                "-Dgrasp.sync.quick-reconnect-window=1ms",
                "-Dgrasp.sync.backoff.base=" + DIALS,
                "-Dgrasp.sync.backoff.max=" + DIALS,
                "-Dgrasp.sync.bootstrap-relays=" + source.relayUrl());
    }

    private void compare(String what, ServiceProcess source, ServiceProcess sink) throws Exception {
        awaitRest(sink);
        int before = syncedAt(sink);
        source.startAgain();
        awaitRest(source);
        assertThat(syncedAt(sink)).as("it was dialled too early").isEqualTo(before);
        Duration sinkBefore = sink.cpu();
        Duration sourceBefore = source.cpu();
        Awaitility.await(what)
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> syncedAt(sink) > before);
        table.row(
                what,
                "%,.0f rounds, %,.0f B up, %,.0f B down"
                        .formatted(
                                metric(sink, "rounds_total"),
                                metric(sink, "bytes_total\\{direction=\"sent\",?}"),
                                metric(sink, "bytes_total\\{direction=\"received\",?}")),
                "",
                "sink %.2f s of a core, source %.2f s"
                        .formatted(
                                sink.cpu().minus(sinkBefore).toMillis() / 1e3,
                                source.cpu().minus(sourceBefore).toMillis() / 1e3));
    }

    private static int syncedAt(ServiceProcess service) {
        return service.log().lastIndexOf(" is synced");
    }

    /** A second and a half without work to speak of. */
    private static void awaitRest(ServiceProcess service) {
        Duration[] last = {Duration.ZERO};
        Awaitility.await("rest")
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(1_500))
                .until(() -> {
                    Duration before = last[0];
                    last[0] = service.cpu();
                    return last[0].minus(before).toMillis() < 100;
                });
    }

    private static double metric(ServiceProcess service, String pattern) {
        String scraped = RestAssured.get("http://127.0.0.1:" + service.managementPort() + "/q/metrics")
                .asString();
        Matcher line = Pattern.compile("(?m)^ngit_sync_negentropy_" + pattern + " (\\S+)$")
                .matcher(scraped);
        return line.find() ? Double.parseDouble(line.group(1)) : -1;
    }
}
