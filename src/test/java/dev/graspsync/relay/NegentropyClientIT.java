package dev.graspsync.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.NegentropyRelay;
import dev.graspsync.process.ServiceProcess;
import io.restassured.path.json.JsonPath;
import java.io.BufferedWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** nostr-tools compares, as a client over a WebSocket, what it has with what the packaged service has (NIP-77). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NegentropyClientIT {

    @TempDir
    static Path folder;

    private final int port = ServiceProcess.freePort();
    private final Corpus corpus = Corpus.generate(775, 40, 40, 0, Corpus.Places.local(List.of(port)));
    private ServiceProcess service;

    @BeforeAll
    void startWithEvents() throws Exception {
        NegentropyRelay.assumeInstalled();
        service = ServiceProcess.startAt(port, folder, "-Dgrasp.sync.enabled=false");
        assertThat(Load.publish(port, corpus.items(), 1)).isEqualTo(corpus.size());
    }

    @AfterAll
    void stop() throws Exception {
        if (service != null) {
            service.close();
        }
    }

    /**
     * @param shared percent of what the service has that the client has, too
     * @param theirs what the client has beyond that
     */
    @ParameterizedTest(name = "{0}, frames of {3}")
    @CsvSource({
        "identical,          100,    0,  4096",
        "identical,          100,    0, 60000",
        "disjoint,             0, 2000,  4096",
        "disjoint,             0, 2000, 60000",
        "the client has none,  0,    0,  4096",
        "1 % each way,        99,   33,  4096",
        "1 % each way,        99,   33, 60000"
    })
    void itsClientLearnsBothDifferences(String name, int shared, int theirs, int frameLimit) throws Exception {
        List<String> ours = corpus.items().stream()
                .map(item -> item.event().createdAt() + " " + item.event().id().hex())
                .toList();
        Random random = new Random(775);
        List<String> both =
                ours.stream().filter(line -> random.nextInt(100) < shared).toList();
        List<String> only = Stream.generate(() -> made(random)).limit(theirs).toList();

        JsonPath found = compare(Stream.concat(both.stream(), only.stream()).toList(), frameLimit);

        // It may tell an id twice where a message was full.
        assertThat(new HashSet<>(found.<String>getList("have"))).isEqualTo(ids(only));
        Set<String> missing = ids(ours);
        missing.removeAll(ids(both));
        assertThat(new HashSet<>(found.<String>getList("need"))).isEqualTo(missing);
    }

    private JsonPath compare(List<String> lines, int frameLimit) throws Exception {
        Process client = NegentropyRelay.script("node", "client.mjs", service.relayUrl(), "" + frameLimit, "{}")
                .start();
        try (BufferedWriter in = client.outputWriter(UTF_8)) {
            for (String line : lines) {
                in.write(line + "\n");
            }
        }
        String found = client.inputReader(UTF_8).readLine();
        assertThat(client.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(client.exitValue()).isZero();
        return JsonPath.from(found);
    }

    /** Of the time that the corpus is of. */
    private static String made(Random random) {
        byte[] id = new byte[32];
        random.nextBytes(id);
        return 1_760_000_000 + random.nextInt(20_000_000) + " " + HexFormat.of().formatHex(id);
    }

    private static Set<String> ids(List<String> lines) {
        return lines.stream().map(line -> line.split(" ")[1]).collect(Collectors.toCollection(HashSet::new));
    }
}
