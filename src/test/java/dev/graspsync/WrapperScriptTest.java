package dev.graspsync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mvnw} on a machine that has no JDK 25. */
class WrapperScriptTest {

    @TempDir
    Path folder;

    @Test
    void withoutAJdk25OneLineSaysSo() throws Exception {
        // The usual folders of this machine do have one: the copy looks into folders that are not there.
        String script = Files.readString(Path.of("mvnw"))
                .replace("/usr/lib/jvm/*", folder + "/jvm/*")
                .replace("/usr/java/*", folder + "/java/*")
                .replace("/opt/", folder + "/opt/");
        Path copy = Files.writeString(folder.resolve("mvnw"), script);
        Path jdk17 = Files.createDirectories(folder.resolve("jvm/temurin-17"));
        Files.writeString(jdk17.resolve("release"), "JAVA_VERSION=\"17.0.12\"\n");
        Path javac =
                Files.createFile(Files.createDirectory(jdk17.resolve("bin")).resolve("javac"));
        assertThat(javac.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder = new ProcessBuilder(List.of("/bin/sh", copy.toString(), "verify"));
        builder.environment().clear();
        builder.environment().put("PATH", jdk17.resolve("bin") + ":/usr/bin:/bin");
        builder.environment().put("JAVA_HOME", jdk17.toString());
        builder.environment().put("HOME", folder.toString());

        Process run = builder.redirectErrorStream(true).start();
        String output = new String(run.getInputStream().readAllBytes(), UTF_8);

        assertThat(run.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).isEqualTo(1);
        assertThat(output.lines()).singleElement().asString().startsWith("mvnw: no JDK 25 found");
    }
}
