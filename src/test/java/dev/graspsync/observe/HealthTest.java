package dev.graspsync.observe;

import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.vertx.http.HttpServer;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A sidecar whose relay is not there: alive, with everything running, and not ready. */
@QuarkusTest
@TestProfile(HealthTest.Sidecar.class)
class HealthTest {

    @Inject
    HttpServer server;

    @Test
    void aSidecarWithoutItsRelayIsAliveAndNotReady() {
        ask("live")
                .statusCode(200)
                .body("checks.name", hasItems("progress"))
                .body("checks.find { it.name == 'progress' }.data.writer", equalTo("running"))
                .body("checks.find { it.name == 'progress' }.data.engine", equalTo("running"));
        ask("ready")
                .statusCode(503)
                .body("checks.find { it.name == 'serving' }.data.store", equalTo("open"))
                .body("checks.find { it.name == 'serving' }.data.'own relay'", startsWith("not reached: "))
                .body("checks.find { it.name == 'serving' }.data.'own relay'", containsString("ws://127.0.0.1:1"));
    }

    /** The embedded relay, of which it is the index, can be read all the same. */
    @Test
    void aSidecarWithoutItsRelayHasStarted() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> ask("started")
                        .statusCode(200)
                        .body("checks.find { it.name == 'started' }.status", equalTo("UP")));
    }

    @Test
    void whyTheOwnRelayIsNotReachedIsSaid() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> ask("ready")
                        .statusCode(503)
                        .body("checks.find { it.name == 'serving' }.data.'own relay'", containsString("refused")));
    }

    private ValidatableResponse ask(String what) {
        return RestAssured.given()
                .get(URI.create("http://localhost:" + server.getManagementPort() + "/q/health/" + what))
                .then();
    }

    public static final class Sidecar implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("grasp.own-relay.url", "ws://127.0.0.1:1");
        }
    }
}
