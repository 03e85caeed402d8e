package dev.graspsync.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.vertx.http.HttpServer;
import io.restassured.RestAssured;
import io.vertx.core.Vertx;
import io.vertx.core.http.ServerWebSocket;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Scrapes a service that has two relays: one that it reaches, and one where nobody listens. */
@QuarkusTest
@TestProfile(SyncMetricsTest.TwoRelays.class)
class SyncMetricsTest {

    private static final String NOBODY = "ws://127.0.0.1:1/?";

    @Inject
    HttpServer server;

    @Test
    void aScrapeShowsWhoIsConnectedAndWhoFails() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(scrape())
                        .containsPattern(line("relays_connected_total", "", "1"))
                        .containsPattern(line("relay_connected", "relay=\"" + NOBODY + "\"", "0"))
                        .containsPattern(line("relay_status", "relay=\"" + NOBODY + "\"", "2"))
                        .containsPattern(line("relay_failures", "relay=\"" + NOBODY + "\"", "[1-9][0-9]*"))
                        .containsPattern(line(
                                "connection_attempts_total",
                                "relay=\"" + NOBODY + "\",result=\"failure\"",
                                "[1-9][0-9]*"))
                        .containsPattern(line("connection_attempts_total", "relay=\"[^\"]*\",result=\"success\"", "1"))
                        .containsPattern(line("relays_tracked_total", "", "2"))
                        .containsPattern(line("open_subscriptions", "relay=\"ws://127[^\"]*\"", "[1-9][0-9]*"))
                        .containsPattern(line("open_filters", "relay=\"ws://127[^\"]*\"", "[1-9][0-9]*"))
                        .containsPattern(line("pending_batches", "relay=\"ws://127[^\"]*\"", "1"))
                        .containsPattern(line("relays_dead_total", "", "0")));

        Reachable.hangUp();

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(scrape())
                        .containsPattern(
                                line("connection_attempts_total", "relay=\"[^\"]*\",result=\"success\"", "2")));
    }

    @Test
    void aScrapeShowsEverySourceAndReason() {
        String scraped = scrape();

        for (String source : List.of("direct", "live", "first_sync", "catch_up", "fresh_sync")) {
            assertThat(scraped).containsPattern(line("events_total", "source=\"" + source + "\"", "0"));
        }
        assertThat(scraped)
                .containsPattern(line("gap_events_total", "relay=\"" + NOBODY + "\"", "0"))
                .containsPattern(line("refused_events_total", "reason=\"blocked\"", "0"))
                .containsPattern(line("known_events_total", "", "0"))
                .containsPattern(line("negentropy_sessions_total", "", "0"))
                .containsPattern(line("negentropy_rounds_total", "", "0"))
                .containsPattern(line("negentropy_bytes_total", "direction=\"sent\"", "0"))
                .containsPattern(line("negentropy_ids_total", "side=\"relay\"", "0"))
                .containsPattern(line("negentropy_splits_total", "", "0"))
                .containsPattern(line("negentropy_fallbacks_total", "reason=\"broken\"", "0"))
                .containsPattern(line("publish_lag_events", "", "0"))
                .containsPattern(line("publish_set_aside_events", "", "0"))
                .containsPattern(line("publish_refused_events_total", "", "0"))
                .containsPattern(line("ingest_queue_events", "", "0"))
                .containsPattern(line("pending_batches", "relay=\"" + NOBODY + "\"", "0"))
                .containsPattern(line("open_filters", "relay=\"" + NOBODY + "\"", "0"))
                .containsPattern(line("coverage_items", "relay=\"" + NOBODY + "\",state=\"confirmed\"", "0"))
                .containsPattern(line("layer_outcomes", "layer=\"root_events\",outcome=\"capped\"", "0"))
                .containsPattern(line("layer_outcomes", "layer=\"references\",outcome=\"unreconciled\"", "0"))
                .containsPattern(line("committed_events_total", "", "0"))
                .containsPattern("(?m)^ngit_sync_store_bytes [1-9]")
                .containsPattern("(?m)^ngit_sync_disk_free_bytes [1-9]")
                .containsPattern("(?m)^ngit_sync_disk_bytes [1-9]")
                .containsPattern(line("engine_queue_inputs", "", "[0-9]+"));
    }

    private static String line(String name, String labels, String value) {
        return "(?m)^ngit_sync_" + name + (labels.isEmpty() ? "" : "\\{" + labels + ",?}") + " " + value + "\\.0";
    }

    private String scrape() {
        return RestAssured.given()
                .get(URI.create("http://localhost:" + server.getManagementPort() + "/q/metrics"))
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    public static class TwoRelays implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("grasp.sync.allow-private-targets", "true", "grasp.sync.backoff.base", "1s");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(Reachable.class));
        }
    }

    /** Takes connections and says nothing. */
    public static final class Reachable implements QuarkusTestResourceLifecycleManager {

        private static final List<ServerWebSocket> SOCKETS = new CopyOnWriteArrayList<>();

        private @Nullable Vertx vertx;

        @Override
        public Map<String, String> start() {
            Vertx own = Vertx.vertx();
            vertx = own;
            int port = own.createHttpServer()
                    .requestHandler(request -> request.toWebSocket().onSuccess(SOCKETS::add))
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join()
                    .actualPort();
            return Map.of("grasp.sync.bootstrap-relays", "ws://127.0.0.1:1,ws://127.0.0.1:" + port);
        }

        static void hangUp() {
            SOCKETS.forEach(ServerWebSocket::close);
        }

        @Override
        public void stop() {
            Vertx own = vertx;
            if (own != null) {
                own.close();
            }
        }
    }
}
