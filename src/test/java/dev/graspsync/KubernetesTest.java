package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.http.HttpServer;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The manifests say what is true of the service. */
@QuarkusTest
class KubernetesTest {

    @Inject
    HttpServer server;

    private static final Path MANIFEST = Path.of("kubernetes", "grasp-sync.yaml");

    private static List<Map<String, Object>> documents() throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Object document : new Yaml().loadAll(Files.readString(MANIFEST))) {
            all.add(at(document));
        }
        return all;
    }

    @SuppressWarnings("unchecked")
    private static <T> T at(Object in, Object... path) {
        Object found = in;
        for (Object step : path) {
            found = Objects.requireNonNull(
                    step instanceof Integer index
                            ? ((List<Object>) found).get(index)
                            : ((Map<String, Object>) found).get(step));
        }
        return (T) found;
    }

    private static Map<String, Object> container() throws IOException {
        return at(documents().get(1), "spec", "template", "spec", "containers", 0);
    }

    @Test
    void theProbesAskWhatTheServiceAnswers() throws IOException {
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            String path = at(container(), probe, "httpGet", "path");
            // Ready a moment after the start: the service reads its own relay by then.
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> RestAssured.given()
                            .when()
                            .get(URI.create("http://localhost:" + server.getManagementPort() + path))
                            .then()
                            .statusCode(200));
        }
    }

    @Test
    void theServiceSelectsThePodsOfTheSet() throws IOException {
        Map<String, String> selector = at(documents().get(0), "spec", "selector");
        Map<String, String> labels = at(documents().get(1), "spec", "template", "metadata", "labels");

        assertThat(labels).containsAllEntriesOf(selector);
    }

    @Test
    void theDataFolderLiesOnTheVolume() throws IOException {
        List<Map<String, String>> environment = at(container(), "env");
        String folder = environment.stream()
                .filter(variable -> "GRASP_DATA_DIR".equals(variable.get("name")))
                .map(variable -> String.valueOf(variable.get("value")))
                .findFirst()
                .orElseThrow();
        List<Map<String, String>> mounts = at(container(), "volumeMounts");

        assertThat(mounts).anyMatch(mount -> folder.equals(mount.get("mountPath")) && "data".equals(mount.get("name")));
    }
}
