package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the native library cannot be loaded, the service says so once and verifies all the same. */
class PureJavaVerifierIT {

    @TempDir
    Path folder;

    @Test
    void signaturesAreVerifiedWithoutTheNativeLibrary() throws Exception {
        int port = ServiceProcess.freePort();
        Map<String, String> properties = Map.of(
                "fr.acinq.secp256k1.lib.path",
                folder.resolve("nowhere").toString(),
                "quarkus.http.port",
                Integer.toString(port),
                "grasp.domain",
                "relay.example",
                "grasp.data-dir",
                folder.resolve("data").toString());
        try (PackagedService service = new PackagedService(folder, properties).started()) {
            Corpus corpus = Corpus.generate(3, 1, 5, 0, "relay.example");

            assertThat(Load.publish(port, corpus.items(), 1))
                    .as(service.output())
                    .isEqualTo(corpus.size());
            assertThat(service.output().lines().filter(line -> line.contains("Signatures are verified by")))
                    .singleElement()
                    .asString()
                    .doesNotContain("native");
        }
    }
}
