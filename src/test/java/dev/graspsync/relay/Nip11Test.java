package dev.graspsync.relay;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** The information document, and what else {@code /} answers over plain HTTP. */
@QuarkusTest
class Nip11Test {

    @Test
    void theDocumentTellsWhatTheRelayIsAndItsLimits() {
        given().accept("application/nostr+json")
                .get("/")
                .then()
                .statusCode(200)
                .contentType("application/nostr+json")
                .header("Access-Control-Allow-Origin", "*")
                .body("name", equalTo("grasp-sync"))
                .body("description", containsString("relay.example"))
                .body("supported_nips", hasItems(1, 9, 11, 40, 42, 45, 62, 67, 70))
                .body("supported_grasps", hasItems("GRASP-01"))
                .body("limitation.max_message_length", equalTo(524_288))
                .body("limitation.max_subscriptions", equalTo(300))
                .body("limitation.max_limit", equalTo(5_000))
                .body("limitation.default_limit", equalTo(5_000))
                .body("limitation.max_subid_length", equalTo(64))
                .body("limitation.created_at_upper_limit", equalTo(900))
                .body("limitation.created_at_lower_limit", nullValue())
                .body("limitation.auth_required", equalTo(false))
                .body("limitation.restricted_writes", equalTo(true));
    }

    @Test
    void aBrowserGetsAPage() {
        given().accept("text/html")
                .get("/")
                .then()
                .statusCode(200)
                .contentType("text/html")
                .body(not(containsString("supported_nips")));
    }

    @Test
    void aPreflightIsAnsweredAsGrasp01Asks() {
        given().options("/")
                .then()
                .statusCode(204)
                .header("Access-Control-Allow-Origin", "*")
                .header("Access-Control-Allow-Methods", "GET, POST")
                .header("Access-Control-Allow-Headers", "Content-Type");
    }

    @Test
    void otherMethodsAreRefused() {
        given().delete("/").then().statusCode(405);
    }
}
