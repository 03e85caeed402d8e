package dev.graspsync.negentropy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The other side of a session: nostr-tools in a node process, one message a line. */
final class NodePeer implements AutoCloseable {

    private static final Path FOLDER = Path.of("src/test/interop/negentropy");

    private final Process process;
    private final BufferedWriter in;
    private final BufferedReader out;

    NodePeer(String role, int frameLimit, Collection<Item> items) throws IOException {
        process = start("node", "peer.mjs");
        in = process.outputWriter(UTF_8);
        out = process.inputReader(UTF_8);
        in.write("{\"role\":\"%s\",\"frameLimit\":%d,\"items\":%d}\n".formatted(role, frameLimit, items.size()));
        for (Item item : items) {
            in.write(item.createdAt() + " " + item.hex() + "\n");
        }
        in.flush();
    }

    static boolean isInstalled(String program) throws InterruptedException {
        try {
            return run(program, "--version") == 0;
        } catch (IOException notFound) {
            return false;
        }
    }

    /** Installs nostr-tools as the lock file says. */
    static int install() throws IOException, InterruptedException {
        return run("npm", "ci", "--no-audit", "--no-fund", "--prefer-offline");
    }

    private static int run(String... command) throws IOException, InterruptedException {
        Process process = start(command);
        process.inputReader(UTF_8).lines().forEach(line -> {});
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IOException(List.of(command) + " did not end");
        }
        return process.exitValue();
    }

    private static Process start(String... command) throws IOException {
        return new ProcessBuilder(command)
                .directory(FOLDER.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    String readLine() {
        try {
            String line = out.readLine();
            if (line == null) {
                throw new AssertionError("nostr-tools ended early");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(byte[] message) {
        try {
            in.write(HexFormat.of().formatHex(message) + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] answer(byte[] message) {
        write(message);
        return HexFormat.of().parseHex(readLine());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
