package dev.graspsync.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A relay that compares by nostr-tools, in a node process: see src/test/interop/negentropy/relay.mjs. */
public final class NegentropyRelay implements AutoCloseable {

    private static final NodeFolder FOLDER = new NodeFolder(Path.of("src/test/interop/negentropy"));

    private final int port;
    private final Process process;

    private NegentropyRelay(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    /** Skips the test, and says why, where there is no node. */
    public static void assumeInstalled() throws IOException, InterruptedException {
        FOLDER.assumeInstalled("the tests with nostr-tools");
    }

    /** Runs a script that lies beside the relay's. */
    public static ProcessBuilder script(String... command) {
        return FOLDER.builder(command);
    }

    /**
     * @param frameLimit bytes of a message of a comparison
     * @param file where what it starts with is written for it
     */
    public static NegentropyRelay start(int port, int frameLimit, List<Corpus.Item> items, Path file)
            throws IOException {
        Files.write(
                file, items.stream().map(item -> new String(item.json(), UTF_8)).toList());
        return new NegentropyRelay(
                port,
                FOLDER.startListening("node", "relay.mjs", "" + port, "" + frameLimit, "" + file.toAbsolutePath()));
    }

    public String url() {
        return "ws://127.0.0.1:" + port;
    }

    /** The ids, in hex, of all it has. Asking does not count. */
    public Set<String> ids() {
        return new HashSet<>(get("/ids").<List<String>>path("$"));
    }

    /** One of the script's counts. */
    public int count(String what) {
        return get("/counts").path(what);
    }

    /** The ids, in hex, that REQs for a purpose brought, as often as they did: see the script. */
    public List<String> brought(String what) {
        return get("/brought").path(what);
    }

    private Response get(String path) {
        return RestAssured.get("http://127.0.0.1:" + port + path);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the relay did not die");
        }
    }
}
