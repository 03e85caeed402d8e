package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps the service from starting is said in one line, and the exit code is 1. */
class StartFailureIT {

    @TempDir
    Path folder;

    private void assertRefuses(String words, String key, String value) throws Exception {
        assertRefuses(words, Map.of("grasp.data-dir", folder.resolve("data").toString(), key, value));
    }

    private void assertRefuses(String words, Map<String, String> properties) throws Exception {
        try (PackagedService service = new PackagedService(folder, properties)) {
            assertThat(service.exitCode()).as(service.output()).isEqualTo(1);
            assertThat(service.output().lines().filter(line -> !line.contains(" INFO ")))
                    .singleElement()
                    .asString()
                    .startsWith("grasp-sync cannot start: ")
                    .contains(words);
        }
    }

    @Test
    void aDomainThatIsNone() throws Exception {
        assertRefuses("not a host or host:port: no domain", "grasp.domain", "no domain");
    }

    @Test
    void aValueThatIsNotOneOfTheChoices() throws Exception {
        assertRefuses("grasp.acceptance", "grasp.acceptance", "everything");
    }

    @Test
    void aValueThatIsNoDuration() throws Exception {
        assertRefuses("grasp.relay.reader-timeout", "grasp.relay.reader-timeout", "soon");
    }

    @Test
    void aDataFolderThatCannotBe() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        assertRefuses(
                "data folder", Map.of("grasp.data-dir", file.resolve("data").toString()));
    }

    @Test
    void aPortThatIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = Integer.toString(taken.getLocalPort());
            assertRefuses("port " + port + " is in use", "quarkus.http.port", port);
        }
    }

    @Test
    void inProductionTheLogIsOneJsonObjectALineAndAFailureAPlainOne() throws Exception {
        Map<String, String> json = new HashMap<>(Map.of(
                "quarkus.log.console.json.enabled",
                "true",
                "grasp.data-dir",
                folder.resolve("data").toString()));
        try (PackagedService service = new PackagedService(folder, json).started()) {
            service.close();
            assertThat(service.output().lines()).hasSizeGreaterThan(3);
            for (String line : service.output().lines().toList()) {
                JsonNode entry = new ObjectMapper().readTree(line);
                assertThat(entry.path("level").asText()).as(line).isNotEmpty();
                assertThat(entry.path("message").asText()).as(line).isNotEmpty();
            }
        }
        json.put("grasp.domain", "no domain");
        try (PackagedService service = new PackagedService(folder, json)) {
            assertThat(service.exitCode()).isEqualTo(1);
            assertThat(service.output().lines().filter(line -> !line.startsWith("{")))
                    .singleElement()
                    .asString()
                    .startsWith("grasp-sync cannot start: ");
        }
    }

    @Test
    void aStoreInUseAndATruncatedOne() throws Exception {
        Path data = folder.resolve("data");
        Map<String, String> same = Map.of("grasp.data-dir", data.toString());
        try (PackagedService first = new PackagedService(folder, same).started()) {
            assertRefuses("in use by another process", same);
            assertThat(first.output()).contains("Listening on");
        }
        try (RandomAccessFile store =
                new RandomAccessFile(data.resolve("events.mv").toFile(), "rw")) {
            store.setLength(100);
        }
        assertRefuses("events.mv", same);
    }
}
