package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.Fallback;
import dev.graspsync.sync.core.Finding;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.http.HttpServer;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What comparing costs and finds, as a scrape shows it. */
@QuarkusTest
class ComparingMetricsTest {

    private static final RelayUrl RELAY = RelayUrl.parse("wss://relay.example").orElseThrow();
    private static final Pattern LINE = Pattern.compile("(?m)^ngit_sync_negentropy_(\\S+) (\\S+)$");

    @Inject
    HealthTracker health;

    @Inject
    HttpServer server;

    @Test
    void splitsFallbacksPushedEventsAndIdsAreCounted() {
        Map<String, Double> before = scrape();
        health.found(RELAY, new Finding.WindowSplit("too many results"));
        health.found(RELAY, new Finding.FellBack(Fallback.OVERFLOW, "too many results"));
        health.found(RELAY, new Finding.FellBack(Fallback.TOO_DIFFERENT, "much"));
        health.found(RELAY, new Finding.FellBack(Fallback.TOO_DIFFERENT, "more"));
        health.negentropy().opened(900);
        health.negentropy().received(24);
        health.negentropy().closed(20);
        health.negentropy().found(3, 4);
        health.negentropy().pushed();

        Map<String, Double> grown = scrape();
        grown.replaceAll((name, value) -> value - before.getOrDefault(name, 0.0));
        grown.values().removeIf(value -> value == 0);

        assertThat(grown)
                .containsOnly(
                        Map.entry("splits_total", 1.0),
                        Map.entry("fallbacks_total{reason=\"overflow\"}", 1.0),
                        Map.entry("fallbacks_total{reason=\"too-different\"}", 2.0),
                        Map.entry("sessions_total", 1.0),
                        Map.entry("rounds_total", 1.0),
                        Map.entry("bytes_total{direction=\"sent\"}", 920.0),
                        Map.entry("bytes_total{direction=\"received\"}", 24.0),
                        Map.entry("ids_total{side=\"relay\"}", 3.0),
                        Map.entry("ids_total{side=\"here\"}", 4.0),
                        Map.entry("pushed_events_total", 1.0));
    }

    private Map<String, Double> scrape() {
        String text = RestAssured.given()
                .get(URI.create("http://localhost:" + server.getManagementPort() + "/q/metrics"))
                .then()
                .statusCode(200)
                .extract()
                .asString();
        Map<String, Double> values = new LinkedHashMap<>();
        for (Matcher line = LINE.matcher(text); line.find(); ) {
            values.put(line.group(1).replace(",}", "}"), Double.valueOf(line.group(2)));
        }
        return values;
    }
}
