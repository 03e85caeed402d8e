package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Tag;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.NpmRelay;
import dev.graspsync.process.ServiceProcess;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules 17 to 20 between real processes: two of this service, and a relay that does not know NIP-77. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ComparingIT extends SyncFixture {

    /** So that a service which starts again compares, and does not merely catch up. */
    private static final String ALWAYS_STALE = "-Dgrasp.sync.quick-reconnect-window=1ms";

    private static final String IDS_AT_THE_RELAY = "negentropy_ids_total\\{side=\"relay\",?}";

    private final int port = ServiceProcess.freePort();

    @Test
    void theSecondPassComparesInOneRoundAndTransfersNothing() throws Exception {
        int sourcePort = ServiceProcess.freePort();
        ServiceProcess source = service(sourcePort, "-Dgrasp.sync.enabled=false");
        Corpus corpus = Corpus.generate(77, 20, 20, 0, Corpus.Places.local(List.of(sourcePort, port)));
        publish(sourcePort, corpus.items());
        ServiceProcess sink = service(port, ALWAYS_STALE, "-Dgrasp.sync.bootstrap-relays=" + source.relayUrl());
        awaitAll(port, corpus.acceptedIds());
        awaitAllConfirmed(sink, source, 420);

        comparesAgain(sink, source, 420);

        assertThat(metric(sink, IDS_AT_THE_RELAY)).isZero();
        assertThat(metric(sink, "negentropy_rounds_total")).isEqualTo(1);
        assertThat(metric(sink, "negentropy_bytes_total\\{direction=\"sent\",?}"))
                .isLessThan(1_000);
        assertThat(metric(sink, "negentropy_bytes_total\\{direction=\"received\",?}"))
                .isLessThan(100);
        assertThat(RestAssured.get("http://127.0.0.1:" + port + "/api/relays/{url}", source.relayUrl())
                        .<String>path("negentropy"))
                .isEqualTo("yes");
    }

    /** The source takes anything; what is none of the sink's business, or no longer here, is looked at once. */
    @Test
    void rule18WhatIsRefusedReplacedOrDeletedHereIsTransferredOnceAtMost() throws Exception {
        int sourcePort = ServiceProcess.freePort();
        ServiceProcess source = service(sourcePort, "-Dgrasp.sync.enabled=false", "-Dgrasp.acceptance=archive");
        Corpus.Places both = Corpus.Places.local(List.of(sourcePort, port));
        Corpus corpus = Corpus.generate(80, 5, 10, 50, both);
        publish(sourcePort, corpus.items());
        Event older = announcement(1_700_000_000, "older", both);
        String address = "30617:" + older.pubkey().hex() + ":changing";
        Event deleted = TestKeys.ALICE.sign(1621, 1_700_000_001, List.of(Tag.of("a", address)), "a mistake");
        publish(sourcePort, List.of(Corpus.Item.of(older, true), Corpus.Item.of(deleted, true)));
        ServiceProcess sink = service(port, ALWAYS_STALE, "-Dgrasp.sync.bootstrap-relays=" + source.relayUrl());
        awaitAll(port, corpus.acceptedIds());
        awaitAll(port, Set.of(older.id().hex(), deleted.id().hex()));
        Event newer = announcement(1_700_000_002, "newer", both);
        Event deletion = TestKeys.ALICE.sign(
                5, 1_700_000_003, List.of(Tag.of("e", deleted.id().hex()), Tag.of("k", "1621")), "");
        publish(port, List.of(Corpus.Item.of(newer, true), Corpus.Item.of(deletion, true)));
        awaitAllConfirmed(sink, source, 56);

        comparesAgain(sink, source, 56);
        comparesAgain(sink, source, 56);

        assertThat(metric(sink, IDS_AT_THE_RELAY)).isZero();
        assertThat(metric(sink, "negentropy_rounds_total")).isPositive();
        assertThat(sink.log()).doesNotContain("ERROR");
    }

    private static Event announcement(long createdAt, String name, Corpus.Places places) {
        List<String> clones = places.servers().stream()
                .map(server -> server + "/" + TestKeys.ALICE.pubkey().hex() + "/changing.git")
                .toList();
        return TestKeys.ALICE.sign(
                30617,
                createdAt,
                List.of(
                        Tag.of("d", "changing"),
                        Tag.of("name", name),
                        tag("relays", places.relays()),
                        tag("clone", clones)),
                "");
    }

    private static Tag tag(String name, List<String> values) {
        return new Tag(Stream.concat(Stream.of(name), values.stream()).toList());
    }

    private static void comparesAgain(ServiceProcess sink, ServiceProcess source, int items) throws Exception {
        sink.stop();
        sink.startAgain();
        awaitAllConfirmed(sink, source, items);
        await().atMost(Duration.ofMinutes(1)).until(() -> metric(sink, "negentropy_sessions_total") > 0);
    }

    @Test
    void aRelayThatDoesNotCompareIsReadByPages() throws Exception {
        NpmRelay.assumeInstalled();
        int npmPort = ServiceProcess.freePort();
        NpmRelay npm = closeLater(NpmRelay.start(npmPort, 100, folder.resolve("npm-relay.jsonl")));
        Corpus corpus = Corpus.generate(78, 5, 20, 0, Corpus.Places.local(List.of(port), npm.url()));
        publish(npmPort, corpus.items());
        ServiceProcess service = service(port);
        // Something of what it has must be here, or there is nothing to compare.
        publish(port, only(corpus, SyncFixture::isAnnouncement));

        awaitAll(port, corpus.acceptedIds());

        awaitLog(service, "Relay " + npm.url() + " is asked by other means than comparing (UNSUPPORTED");
        assertThat(service.log()).doesNotContain("ERROR");
    }

    @Test
    void rule23WhatARelayLacksIsPublishedToIt() throws Exception {
        int otherPort = ServiceProcess.freePort();
        ServiceProcess other = service(otherPort, "-Dgrasp.sync.enabled=false");
        Corpus corpus = Corpus.generate(79, 5, 20, 0, Corpus.Places.local(List.of(otherPort, port)));
        publish(otherPort, only(corpus, item -> !isReply(item)));
        ServiceProcess first = service(port, "-Dgrasp.sync.enabled=false");
        publish(port, corpus.items());
        first.stop();

        ServiceProcess pusher = service(port, "-Dgrasp.sync.push=true");

        awaitAll(otherPort, corpus.acceptedIds());
        awaitLog(pusher, "events it had lacked"); // said when all of them are answered
        awaitLog(pusher, "Relay " + other.relayUrl() + " lacks ");
        awaitLog(pusher, ", whose announcement names it");
        assertThat(pusher.log()).doesNotContain("ERROR");
        assertThat(other.log()).doesNotContain("ERROR");
    }

    /** @param items repositories and their root events */
    private static void awaitAllConfirmed(ServiceProcess sink, ServiceProcess source, int items) {
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            JsonPath seen = RestAssured.get("http://127.0.0.1:" + sink.port() + "/api/relays/{url}", source.relayUrl())
                    .jsonPath();
            return "synced".equals(seen.get("phase"))
                    && seen.getLong("items") >= items
                    && seen.getLong("confirmed") == seen.getLong("items");
        });
    }
}
