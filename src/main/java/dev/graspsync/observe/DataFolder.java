package dev.graspsync.observe;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** How much room the data takes and has. What cannot be found out is NaN, which Prometheus takes for unknown. */
public record DataFolder(Path path) {

    private interface Question {
        double answer() throws IOException;
    }

    public double bytes() {
        return ask(() -> {
            try (Stream<Path> files = Files.list(path)) {
                return files.mapToLong(file -> file.toFile().length()).sum();
            }
        });
    }

    public double freeBytes() {
        return ask(() -> disk().getUsableSpace());
    }

    public double totalBytes() {
        return ask(() -> disk().getTotalSpace());
    }

    private FileStore disk() throws IOException {
        return Files.getFileStore(path);
    }

    private static double ask(Question question) {
        try {
            return question.answer();
        } catch (IOException unknown) {
            return Double.NaN;
        }
    }
}
