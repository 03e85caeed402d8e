package dev.graspsync.sync;

import static dev.graspsync.TestKeys.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Tag;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The status API's contract, with the packaged service, a relay that is there and one that is not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ApiIT {

    private static final String TOKEN = "a token for tests";
    private static final String REPO = "30617:" + ALICE.pubkey().hex() + ":contract/ä:1";

    @TempDir
    static Path folder;

    private final int port = ServiceProcess.freePort();
    private final String dead = "ws://127.0.0.1:" + ServiceProcess.freePort() + "/path";
    private RawRelay good;
    private ServiceProcess service;

    @BeforeAll
    void start() throws Exception {
        good = new RawRelay(ScriptedRelays.good(List.of()));
        service = ServiceProcess.startAt(
                port,
                folder.resolve("service"),
                "-Dgrasp.sync.allow-private-targets=true",
                "-Dgrasp.sync.batch-window=200ms",
                "-Dgrasp.sync.backoff.base=1h",
                "-Dgrasp.api.token=" + TOKEN);
        Event announcement = ALICE.sign(
                30617,
                1_700_000_000,
                List.of(
                        Tag.of("d", "contract/ä:1"),
                        Tag.of("name", "The contract"),
                        Tag.of("description", "what is promised"),
                        Tag.of(
                                "relays",
                                "ws://127.0.0.1:" + port,
                                dead,
                                good.url().toString()),
                        Tag.of("clone", "http://127.0.0.1:" + port + "/npub1alice/contract.git")),
                "");
        assertThat(Load.publish(port, List.of(Corpus.Item.of(announcement, true)), 1))
                .isEqualTo(1);
        Awaitility.await("both relays have been tried, and the repository is listed")
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> {
                    relay(dead).statusCode(200).body("failures", equalTo(1));
                    relay(good.url().toString()).statusCode(200).body("phase", equalTo("synced"));
                    get("/api/repos").body("total", equalTo(1));
                });
    }

    @AfterAll
    void stop() throws Exception {
        service.close();
        good.close();
    }

    @Test
    void theStatusHasEverythingAtAGlance() {
        get("/api/status")
                .statusCode(200)
                .body("name", equalTo("grasp-sync"))
                .body("mode", equalTo("embedded"))
                .body("domain", equalTo("127.0.0.1:" + port))
                .body("startedAt", notNullValue())
                .body("actions", equalTo(true))
                .body("store.events", greaterThan(0))
                .body("store.bytes", greaterThan(0))
                .body("store.failing", equalTo(false))
                .body("ingest.stored.direct", equalTo(1))
                .body("sync.enabled", equalTo(true))
                .body("sync.phase", equalTo("waiting"))
                .body("sync.relays.known", equalTo(2))
                .body("sync.relays.connected", equalTo(1))
                .body("sync.relays.degraded", equalTo(1))
                .body("sync.repositories", equalTo(1));
    }

    @Test
    void relaysAreListedFilteredSortedAndPaged() {
        get("/api/relays").statusCode(200).body("total", equalTo(2)).body("relays", hasSize(2));
        get("/api/relays?state=connected")
                .body("relays.url", equalTo(List.of(good.url().toString())))
                .body("relays[0].perMinute", hasSize(60))
                .body("relays[0].bytesReceived", greaterThan(0))
                .body("relays[0].bytesSent", greaterThan(0));
        get("/api/relays?state=degraded").body("relays.url", equalTo(List.of(dead)));
        get("/api/relays?q=/PATH").body("relays.url", equalTo(List.of(dead)));
        get("/api/relays?sort=-failures").body("relays[0].url", equalTo(dead));
        get("/api/relays?sort=failures&offset=1&limit=5")
                .body("total", equalTo(2))
                .body("relays.url", equalTo(List.of(dead)));
        get("/api/relays?offset=7").body("total", equalTo(2)).body("relays", hasSize(0));
    }

    @Test
    void aRelaySaysHowFarItIsReadAndWhatItTakes() {
        relay(good.url().toString())
                .statusCode(200)
                .body("state", equalTo("connected"))
                .body("health", equalTo("healthy"))
                .body("layers.name", equalTo(List.of("announcements", "repositories", "root events", "references")))
                .body("layers[0].last", equalTo("drained"))
                .body("layers[1].confirmed", equalTo(1))
                .body("budget.filters", greaterThan(0))
                .body("reliability.attempts", greaterThan(0))
                .body("bootstrap", equalTo(false))
                .body("negentropy", equalTo("no"))
                .body("repos[0].address", equalTo(REPO))
                .body("repos[0].name", equalTo("The contract"));
        relay(dead)
                .statusCode(200)
                .body("state", equalTo("disconnected"))
                .body("phase", equalTo("unreachable"))
                .body("why", equalTo("connection refused"))
                .body("negentropy", equalTo("unknown"))
                .body("nextAttempt", notNullValue());
    }

    @Test
    void repositoriesSayHowFarEachRelayIsRead() {
        get("/api/repos?q=CONTRACT")
                .statusCode(200)
                .body("repos[0].address", equalTo(REPO))
                .body("repos[0].name", equalTo("The contract"))
                .body("repos[0].naddr", startsWith("naddr1"))
                .body("repos[0].relays", equalTo(2))
                .body("repos[0].complete", equalTo(false));
        get("/api/repos?q=nothing-like-it").body("total", equalTo(0));
        get("/api/repos/" + encoded(REPO))
                .statusCode(200)
                .body("description", equalTo("what is promised"))
                .body("announcedAt", equalTo("2023-11-14T22:13:20Z"))
                .body("relayMatrix.relay", hasItems(dead, good.url().toString()))
                .body("relayMatrix.find { it.relay == '" + good.url() + "' }.percent", equalTo(100))
                .body("relayMatrix.find { it.relay == '" + dead + "' }.state", equalTo("disconnected"));
        String naddr = get("/api/repos").extract().path("repos[0].naddr");
        get("/api/explain?id=" + naddr).statusCode(200).body("address", equalTo(REPO));
    }

    @ParameterizedTest
    @CsvSource({
        "/api/relays?limit=0, limit",
        "/api/relays?limit=many, limit",
        "/api/relays?offset=-1, offset",
        "/api/relays?sort=beauty, sort",
        "/api/relays?state=beauty, state is none of connected",
        "/api/relays/https%3A%2F%2Fexample.org, not a relay's URL",
        "/api/repos/30617%3Ashort%3Ax, not a repository's address",
        "/api/repos?limit=1001, limit",
        "/api/events/abc, 64 hex digits",
        "/api/explain, id is missing",
        "/api/explain?id=abc, and this has 3",
        "/api/explain?id=hello, neither an event's id",
        "/api/explain?id=note1qqqqqqqq, checksum",
        "/api/explain?id=nsec1qqqqqqqq, secret key",
        "/api/explain?id=1621%3Aabc%3Ax, not an address",
    })
    void badInputIsRefusedWithTheReason(String path, String reason) {
        get(path).statusCode(400).contentType("application/json").body("error", containsString(reason));
    }

    @Test
    void longInputIsRefused() {
        get("/api/explain?id=" + "a".repeat(2_001)).statusCode(400).body("error", containsString("longer than"));
        get("/api/relays?q=" + "a".repeat(201)).statusCode(400).body("error", containsString("longer than"));
    }

    @Test
    void whatIsUnknownIsNotFound() {
        get("/api/relays/" + encoded("wss://stranger.example")).statusCode(404).body("error", notNullValue());
        get("/api/repos/" + encoded("30617:" + "a".repeat(64) + ":x"))
                .statusCode(404)
                .body("error", containsString("/api/explain"));
        get("/api/events/" + "a".repeat(64)).statusCode(404).body("error", containsString("/api/explain"));
        get("/api/beauty").statusCode(404).body("error", containsString("/api/openapi"));
    }

    @Test
    void actionsNeedTheTokenAndLeaveALine() {
        String retry = "/api/relays/" + encoded(dead) + "/retry";
        given("").post(at(retry)).then().statusCode(401).body("error", containsString("token"));
        as("wrong").post(at(retry)).then().statusCode(401);
        as(TOKEN + "x").post(at(retry)).then().statusCode(401);
        as(TOKEN)
                .post(at("/api/relays/" + encoded("wss://stranger.example") + "/retry"))
                .then()
                .statusCode(404);
        as(TOKEN).get(at(retry)).then().statusCode(405);
        assertThat(service.log()).doesNotContain("was asked for over the API");

        as(TOKEN).post(at(retry)).then().statusCode(202);
        as(TOKEN)
                .post(at("/api/relays/" + encoded(good.url().toString()) + "/fresh-sync"))
                .then()
                .statusCode(202);

        Awaitility.await("the relay is tried again, long before its hour has passed")
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> relay(dead).body("failures", greaterThan(1)));
        Awaitility.await("the other one is asked for everything")
                .atMost(Duration.ofSeconds(20))
                .until(() -> service.log().contains("Relay " + good.url() + ": a fresh sync of everything began"));
        assertThat(service.log())
                .contains("Relay " + dead + ": a connection attempt now was asked for over the API")
                .contains("Relay " + good.url() + ": a fresh sync was asked for over the API");
    }

    @Test
    void withoutAConfiguredTokenActionsAreOff() throws Exception {
        try (ServiceProcess open = ServiceProcess.start(folder.resolve("open"), "open.example")) {
            String url = "http://127.0.0.1:" + open.port() + "/api/relays/" + encoded(dead) + "/retry";
            given("").post(URI.create(url)).then().statusCode(403).body("error", containsString("grasp.api.token"));
            assertThat(open.log())
                    .contains("Relay: ws://127.0.0.1:" + open.port() + ", which announcements name as open.example")
                    .contains("Health: http://127.0.0.1:" + open.managementPort() + "/q/health")
                    .contains("0 repositories are hosted here, 0 relays are remembered");
        }
    }

    @Test
    void anyPageMayReadIt() {
        get("/api/status").header("Access-Control-Allow-Origin", "*");
        get("/api/events/abc").header("Access-Control-Allow-Origin", "*");
        RestAssured.given()
                .options(at("/api/status"))
                .then()
                .statusCode(204)
                .header("Access-Control-Allow-Origin", "*")
                .header("Access-Control-Allow-Methods", "GET");
    }

    @Test
    void itDescribesItself() {
        String description =
                get("/api/openapi").statusCode(200).extract().body().asString();
        assertThat(description)
                .contains("/api/status:", "/api/relays/{url}:", "/api/relays/{url}/retry:", "/api/repos/{address}:")
                .contains("/api/events/{id}:", "/api/explain:", "/api/live:");
    }

    @Test
    void itDescribesWhatIsRefusedAndHowAndWhichWordsThereAre() {
        JsonPath description =
                get("/api/openapi?format=JSON").statusCode(200).extract().jsonPath();

        assertThat(responses(description, "/api/relays", "get")).containsOnlyKeys("200", "400");
        assertThat(responses(description, "/api/relays/{url}", "get")).containsOnlyKeys("200", "400", "404");
        assertThat(responses(description, "/api/relays/{url}/retry", "post"))
                .containsOnlyKeys("202", "400", "401", "403", "404");
        assertThat(responses(description, "/api/relays/{url}/fresh-sync", "post"))
                .containsOnlyKeys("202", "400", "401", "403", "404");
        assertThat(responses(description, "/api/repos", "get")).containsOnlyKeys("200", "400");
        assertThat(responses(description, "/api/repos/{address}", "get")).containsOnlyKeys("200", "400", "404");
        assertThat(responses(description, "/api/events/{id}", "get")).containsOnlyKeys("200", "400", "404");
        assertThat(responses(description, "/api/explain", "get")).containsOnlyKeys("200", "400");
        assertThat(responses(description, "/api/live", "get")).containsOnlyKeys("200", "503");
        assertThat(description.getString("components.responses.BadRequest.content.'application/json'.schema.'$ref'"))
                .endsWith("/ApiProblem");
        assertThat(description.getString("components.securitySchemes.token.scheme"))
                .isEqualTo("bearer");
        assertThat(description.getList("paths.'/api/relays/{url}/retry'.post.security"))
                .hasSize(1);
        assertThat(description.<String>getList(
                        "paths.'/api/relays'.get.parameters.find { it.name == 'state' }.schema.enum"))
                .contains("degraded", "disconnected");
        assertThat(description.<String>getList("components.schemas.Explanation.properties.verdict.enum"))
                .contains("never-offered", "not-hosted");
        assertThat(description.<String>getList("components.schemas.LayerRow.properties.last.enum"))
                .contains("capped", "unreconciled");
    }

    private static Map<String, Object> responses(JsonPath description, String path, String method) {
        return description.getMap("paths.'" + path + "'." + method + ".responses");
    }

    @Test
    void theStreamTellsOfARelayThatDrops() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        RawRelay passing = new RawRelay(ScriptedRelays.good(List.of()));
        try (HttpClient http = HttpClient.newHttpClient();
                ServiceProcess watched = ServiceProcess.start(
                        folder.resolve("watched"),
                        "watched.example",
                        "-Dgrasp.sync.allow-private-targets=true",
                        "-Dgrasp.sync.bootstrap-relays=" + passing.url() + "," + service.relayUrl())) {
            URI relays = URI.create("http://127.0.0.1:" + watched.port() + "/api/relays");
            Awaitility.await("both relays are listed")
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> RestAssured.get(relays).then().body("total", equalTo(2)));
            URI live = URI.create("http://127.0.0.1:" + watched.port() + "/api/live");
            HttpResponse<Stream<String>> stream = http.sendAsync(
                            HttpRequest.newBuilder(live).build(), HttpResponse.BodyHandlers.ofLines())
                    .get(10, TimeUnit.SECONDS);
            assertThat(stream.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
            Thread reader = Thread.ofVirtual().start(() -> stream.body().forEach(lines::add));
            awaitLine(lines, passing.url() + "\",\"state\":\"connected\"");
            assertThat(lines).as("the whole state comes first").anyMatch(line -> line.contains("\"phase\""));
            assertThat(lines.stream()
                            .filter(line -> line.startsWith("data:{\"relays\""))
                            .findFirst())
                    .as("all relays come first")
                    .hasValueSatisfying(
                            first -> assertThat(first).contains(passing.url().toString(), service.relayUrl()));
            lines.clear();
            passing.close();
            awaitLine(lines, passing.url() + "\",\"state\":\"disconnected\"");
            assertThat(lines).as("events by name").contains("event:relays");
            assertThat(reader.isAlive()).isTrue();
        } finally {
            passing.close();
        }
    }

    private static void awaitLine(List<String> lines, String words) {
        Awaitility.await(words)
                .atMost(Duration.ofSeconds(30))
                .until(() -> lines.stream().anyMatch(line -> line.contains(words)));
    }

    private static RequestSpecification as(String token) {
        return given("Bearer " + token);
    }

    private static RequestSpecification given(String authorization) {
        return RestAssured.given().urlEncodingEnabled(false).header("Authorization", authorization);
    }

    private ValidatableResponse relay(String url) {
        return get("/api/relays/" + encoded(url));
    }

    private ValidatableResponse get(String path) {
        return RestAssured.given().urlEncodingEnabled(false).get(at(path)).then();
    }

    private URI at(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
