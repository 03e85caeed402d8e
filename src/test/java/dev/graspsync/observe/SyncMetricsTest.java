package dev.graspsync.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.HealthTracker;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.http.HttpServer;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.net.URI;
import org.junit.jupiter.api.Test;

@QuarkusTest
class SyncMetricsTest {

    @Inject
    HttpServer server;

    @Inject
    HealthTracker health;

    @Test
    void aScrapeShowsTheMetricsByTheirNames() {
        for (int i = 0; i < SyncMetrics.MOST_RELAYS + 5; i++) {
            health.counters(
                    RelayUrl.parse("wss://relay-%03d.example".formatted(i)).orElseThrow());
        }

        String scraped = RestAssured.given()
                .get(URI.create("http://localhost:" + server.getManagementPort() + "/q/metrics"))
                .then()
                .statusCode(200)
                .extract()
                .asString();

        assertThat(scraped)
                .containsPattern("(?m)^ngit_sync_relay_connected\\{relay=\"wss://relay-000.example/?\",?} 0.0")
                .containsPattern("(?m)^ngit_sync_relay_failures\\{relay=\"other\",?} 0.0")
                .containsPattern("(?m)^ngit_sync_gap_events_total\\{relay=\"other\",?} 0.0")
                .containsPattern("(?m)^ngit_sync_connection_attempts_total\\{relay=\"other\",result=\"failure\",?} 0.0")
                .containsPattern("(?m)^ngit_sync_events_total\\{source=\"live\",?} ")
                .containsPattern("(?m)^ngit_sync_relay_status\\{relay=\"other\",?} 1.0")
                .containsPattern("(?m)^ngit_sync_relays_dead_total 0.0")
                .containsPattern("(?m)^ngit_sync_relays_tracked_total ")
                .containsPattern("(?m)^ngit_sync_relays_connected_total ")
                .doesNotContain("relay-204.example");
    }
}
