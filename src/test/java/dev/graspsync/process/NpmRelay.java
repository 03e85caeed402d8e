package dev.graspsync.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A relay that others wrote, {@code @nostr-relay/core}, in a node process: see src/test/interop/npm-relay. */
public final class NpmRelay implements AutoCloseable {

    private static final NodeFolder FOLDER = new NodeFolder(Path.of("src/test/interop/npm-relay"));

    private final int port;
    private final int cap;
    private final Path file;
    private Process process;

    private NpmRelay(int port, int cap, Path file) throws IOException {
        this.port = port;
        this.cap = cap;
        this.file = file;
        this.process = launch();
    }

    /** Skips the test, and says why, where there is no node. */
    public static void assumeInstalled() throws IOException, InterruptedException {
        FOLDER.assumeInstalled("the tests with the npm relay");
    }

    /**
     * @param cap events it hands out for one filter
     * @param file what keeps its events while it does not run
     */
    public static NpmRelay start(int port, int cap, Path file) throws IOException {
        return new NpmRelay(port, cap, file);
    }

    private Process launch() throws IOException {
        return FOLDER.startListening("node", "relay.mjs", "" + port, "" + cap, "" + file.toAbsolutePath());
    }

    public String url() {
        return "ws://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public void startAgain() throws IOException {
        process = launch();
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the npm relay did not die");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
