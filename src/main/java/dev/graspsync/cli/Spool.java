package dev.graspsync.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Lines to be looked at again, in a file: however many there are, they take no memory. */
final class Spool implements AutoCloseable {

    private final Path file;
    private final OutputStream out;
    private final String message;
    private long lines;

    private Spool(Path file) throws IOException {
        this.file = file;
        this.out = new BufferedOutputStream(Files.newOutputStream(file));
        this.message = "cannot write " + file + ": ";
    }

    static Spool in(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "import-", ".tmp");
        file.toFile().deleteOnExit();
        return new Spool(file);
    }

    synchronized void add(long number, byte[] json) {
        try {
            out.write((number + " ").getBytes(StandardCharsets.US_ASCII));
            out.write(json);
            out.write('\n');
            lines++;
        } catch (IOException failure) {
            throw new UncheckedIOException(message + failure.getMessage(), failure);
        }
    }

    synchronized boolean isEmpty() {
        return lines == 0;
    }

    /** A line, and the number it had in the file it came from. */
    @SuppressWarnings("ArrayRecordComponent")
    record Line(long number, byte[] json) {}

    static Line line(byte[] spooled) {
        int space = 0;
        while (spooled[space] != ' ') {
            space++;
        }
        long number = Long.parseLong(new String(spooled, 0, space, StandardCharsets.US_ASCII));
        return new Line(number, Arrays.copyOfRange(spooled, space + 1, spooled.length));
    }

    InputStream read() throws IOException {
        synchronized (this) {
            out.flush();
        }
        return Files.newInputStream(file);
    }

    @Override
    public void close() throws IOException {
        out.close();
        Files.deleteIfExists(file);
    }
}
