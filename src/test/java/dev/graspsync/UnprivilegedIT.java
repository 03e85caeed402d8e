package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceCommand;
import dev.graspsync.process.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As in the container: a user who owns nothing but the data folder, and nothing else can be written. */
class UnprivilegedIT {

    private static final String USER = "10001";
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    @TempDir
    Path folder;

    @Test
    void theServiceWritesToItsDataFolderAndItsTemporaryFolderOnly() throws Exception {
        assumeRoot();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = owned("data");
        Path tmp = owned("tmp");
        Path readOnly = Files.createDirectory(folder.resolve("root"));
        int port = ServiceProcess.freePort();
        Path log = folder.resolve("log.txt");
        Process service = start(port, data, tmp, readOnly, log);
        try {
            Awaitility.await()
                    .atMost(1, TimeUnit.MINUTES)
                    .until(() -> Files.readString(log).contains("Listening on") || !service.isAlive());
            Corpus corpus = Corpus.generate(3, 1, 5, 0, "relay.example");

            assertThat(Load.publish(port, corpus.items(), 1))
                    .as(Files.readString(log))
                    .isEqualTo(corpus.size());
            assertThat(data.resolve("events.mv")).exists();
            assertThat(Files.getAttribute(data.resolve("events.mv"), "unix:uid"))
                    .hasToString(USER);
            assertThat(readOnly).isEmptyDirectory();
        } finally {
            service.destroy();
            service.waitFor(10, TimeUnit.SECONDS);
        }
        assertThat(Files.readString(log))
                .contains("Signatures are verified by libsecp256k1")
                .doesNotContain(" ERROR ", "Exception");
    }

    @Test
    void whereTheLibraryCannotBeUnpackedTheLogSaysWhatToDo() throws Exception {
        // A folder that is not there, as one that is mounted noexec: mounting would need more rights than tests have.
        Path nowhere = folder.resolve("nowhere");
        try (ServiceProcess service = ServiceProcess.start(
                folder.resolve("data"), "relay.example", "-Dfr.acinq.secp256k1.tmpdir=" + nowhere)) {
            assertThat(service.log())
                    .contains("Signatures are verified by Bouncy Castle")
                    .containsPattern("WARN .*libsecp256k1 cannot be loaded from " + nowhere + ".*--tmpfs /tmp:exec");
            Corpus corpus = Corpus.generate(3, 1, 5, 0, "relay.example");
            assertThat(Load.publish(service.port(), corpus.items(), 1)).isEqualTo(corpus.size());
        }
    }

    @Test
    void aDataFolderOfSomebodyElseIsSaidInOneLine() throws Exception {
        assumeRoot();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path readOnly = Files.createDirectory(folder.resolve("root"));
        Path log = folder.resolve("log.txt");

        Process service = start(ServiceProcess.freePort(), readOnly, owned("tmp"), readOnly, log);

        assertThat(service.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(service.exitValue()).isEqualTo(1);
        // The JVM has a line of its own for who may not raise priorities.
        assertThat(Files.readAllLines(log).stream()
                        .filter(line -> !line.contains(" INFO ") && !line.contains(" VM warning: ")))
                .singleElement()
                .asString()
                .startsWith("grasp-sync cannot start: ")
                .contains(readOnly + " is not writable by this user");
        assertThat(readOnly).isEmptyDirectory();
    }

    private static void assumeRoot() {
        Assumptions.assumeTrue(
                Files.exists(SETPRIV) && "root".equals(System.getProperty("user.name")),
                "needs setpriv, and root to become somebody else");
    }

    private static Process start(int port, Path data, Path tmp, Path workingFolder, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                SETPRIV.toString(),
                "--reuid",
                USER,
                "--regid",
                USER,
                "--clear-groups",
                "--no-new-privs",
                "--bounding-set=-all"));
        command.addAll(ServiceCommand.of(List.of(
                "-Djava.io.tmpdir=" + tmp,
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dquarkus.management.host=127.0.0.1",
                "-Dquarkus.management.port=0",
                "-Dgrasp.domain=relay.example",
                "-Dgrasp.data-dir=" + data)));
        return new ProcessBuilder(command)
                .directory(workingFolder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private Path owned(String name) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        Files.setAttribute(made, "unix:uid", Integer.parseInt(USER));
        return made;
    }
}
