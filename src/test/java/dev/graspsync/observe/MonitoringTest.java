package dev.graspsync.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.vertx.http.HttpServer;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The dashboard and the alerts under {@code kubernetes/monitoring} name only what a scrape really has. */
@QuarkusTest
@TestProfile(SyncMetricsTest.TwoRelays.class)
class MonitoringTest {

    private static final Path FOLDER = Path.of("kubernetes", "monitoring");
    private static final Pattern METRIC = Pattern.compile("ngit_sync_\\w+");
    /** In {@code by (…)} and {@code on (…)}, in matchers and in texts. */
    private static final Pattern LABEL =
            Pattern.compile("(?:by|on) \\((\\w+)\\)|[{,](\\w+)=~?\"|\\{\\{(\\w+)}}|\\$labels\\.(\\w+)");

    private static final Pattern VALUE = Pattern.compile("[{,](\\w+)=~?\"([^\"]*)\"");

    /** What Prometheus adds to each sample. */
    private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

    @Inject
    HttpServer server;

    @Test
    void everyMetricOfTheAlertsIsScraped() throws IOException {
        assertThat(alerts()).isNotEmpty();
        assertKnown(alerts().stream().map(Object::toString));
    }

    @Test
    void everyMetricOfTheDashboardIsScraped() throws IOException {
        List<String> queries = new ObjectMapper()
                .readTree(FOLDER.resolve("grafana-dashboard.json").toFile()).findValues("targets").stream()
                        .map(JsonNode::toString)
                        .map(target -> target.replace("\\\"", "\""))
                        .toList();
        assertThat(queries).hasSizeGreaterThan(10);
        assertKnown(queries.stream());
    }

    @Test
    void everyMetricIsDescribed() throws IOException {
        String described = Files.readString(Path.of("docs", "operating.md"));
        assertThat(names(scrape())
                        .filter(name -> !described.contains(name)
                                && !described.contains("`" + name.replace("ngit_sync_relays", "") + "`")))
                .isEmpty();
    }

    @Test
    void everyAlertSaysWhatItMeansAndIsExplained() throws IOException {
        String explained = Files.readString(Path.of("docs", "operating.md"));
        for (Map<String, Object> alert : alerts()) {
            assertThat(alert).containsKeys("alert", "expr", "labels", "annotations");
            assertThat(explained).contains("`" + alert.get("alert") + "`");
        }
    }

    private void assertKnown(Stream<String> queries) {
        String scraped = scrape();
        Set<String> metrics = names(scraped).collect(Collectors.toSet());
        Set<String> labels = new TreeSet<>(OF_PROMETHEUS);
        Pattern.compile("[{,](\\w+)=\"").matcher(scraped).results().forEach(found -> labels.add(found.group(1)));
        queries.forEach(query -> {
            assertThat(names(query)).as(query).isNotEmpty().allMatch(metrics::contains);
            assertThat(LABEL.matcher(query).results().map(MonitoringTest::group))
                    .as(query)
                    .allMatch(labels::contains);
            assertThat(VALUE.matcher(query).results().filter(MonitoringTest::isScraped))
                    .as("values of labels in %s", query)
                    .allSatisfy(found -> assertThat(found.group(2).split("\\|"))
                            .allMatch(value -> scraped.contains(found.group(1) + "=\"" + value + "\"")));
        });
    }

    private static boolean isScraped(MatchResult found) {
        return !OF_PROMETHEUS.contains(found.group(1)) && !found.group(2).startsWith("$");
    }

    private static String group(MatchResult found) {
        return Stream.of(1, 2, 3, 4)
                .map(found::group)
                .filter(group -> group != null)
                .findFirst()
                .orElseThrow();
    }

    /** The samples' names; comments do not count. */
    private static Stream<String> names(String text) {
        return METRIC.matcher(text.replaceAll("(?m)^#.*$", "")).results().map(MatchResult::group);
    }

    private static List<Map<String, Object>> alerts() throws IOException {
        Map<String, Object> file = new Yaml().load(Files.readString(FOLDER.resolve("alerts.yaml")));
        return list(file, "groups").stream()
                .flatMap(group -> list(group, "rules").stream())
                .toList();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> node, String key) {
        return (List<Map<String, Object>>) Objects.requireNonNull(node.get(key));
    }

    private String scrape() {
        return RestAssured.get(URI.create("http://localhost:" + server.getManagementPort() + "/q/metrics"))
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }
}
