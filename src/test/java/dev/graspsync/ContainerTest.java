package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** What the container images promise. There is no Docker in the tests, so their descriptions are read. */
class ContainerTest {

    private static final Pattern INSTRUCTION = Pattern.compile("(?m)^([A-Z]+) (.*)$");

    private static Map<String, List<String>> instructions(String name) throws IOException {
        return INSTRUCTION
                .matcher(Files.readString(Path.of("src/main/docker", name)))
                .results()
                .collect(Collectors.groupingBy(
                        found -> found.group(1),
                        TreeMap::new,
                        Collectors.mapping(found -> found.group(2), Collectors.toList())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile.native", "Dockerfile.jvm"})
    void anImageRunsAsNobodySpecialOnAVolumeAndKnowsItsHealth(String name) throws IOException {
        Map<String, List<String>> image = instructions(name);

        assertThat(image.get("USER")).containsExactly("10001:10001");
        assertThat(image.get("VOLUME")).containsExactly("/data");
        assertThat(image.get("EXPOSE")).containsExactly("8080 9000");
        assertThat(image.get("ENV")).singleElement().asString().contains("GRASP_DATA_DIR=/data");
        assertThat(image.get("HEALTHCHECK")).singleElement().asString().contains("\"health\", \"--live\"]");
        // Signals reach the service only where no shell stands between.
        assertThat(image.get("ENTRYPOINT")).singleElement().asString().startsWith("[");
        assertThat(image.get("FROM")).allMatch(base -> base.matches("[a-z-]+:[0-9][^ ]*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile.native", "Dockerfile.jvm"})
    void whatAnImageCopiesIsSentToTheBuilderAndMadeByTheBuild(String name) throws IOException {
        String copied = Objects.requireNonNull(instructions(name).get("COPY"))
                .getFirst()
                .replaceFirst("^--chmod=\\S+ ", "")
                .split(" ")[0];
        List<String> sent = Files.readAllLines(Path.of(".dockerignore"));

        assertThat(sent.getFirst()).isEqualTo("*");
        assertThat(sent).anyMatch(line -> line.startsWith("!" + copied));
        assertThat(copied).isIn("target/*-runner", "target/quarkus-app/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"src/main/docker/Dockerfile.native", "src/main/docker/Dockerfile.jvm", "docs/native.md"})
    void aTemporaryFolderThatIsDescribedCanHoldALibrary(String file) throws IOException {
        List<String> folders = Pattern.compile("--tmpfs (/[^ `]*)")
                .matcher(Files.readString(Path.of(file)))
                .results()
                .map(found -> found.group(1))
                .toList();

        // Docker mounts it noexec otherwise, and libsecp256k1 could not be loaded from it.
        assertThat(folders).isNotEmpty().allMatch(folder -> folder.equals("/tmp:exec"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile.native", "Dockerfile.jvm"})
    void theManifestRunsTheImageAsTheSameUser(String name) throws IOException {
        String user = Objects.requireNonNull(instructions(name).get("USER")).getFirst();
        String manifest = Files.readString(Path.of("kubernetes", "grasp-sync.yaml"));
        Matcher as = Pattern.compile("runAsUser: (\\d+)\\s+runAsGroup: (\\d+)").matcher(manifest);

        assertThat(as.find()).isTrue();
        assertThat(as.group(1) + ":" + as.group(2)).isEqualTo(user);
        assertThat(manifest).contains("readOnlyRootFilesystem: true", "runAsNonRoot: true", "drop: [ALL]");
        assertThat(new Yaml().loadAll(manifest)).isNotEmpty();
    }
}
