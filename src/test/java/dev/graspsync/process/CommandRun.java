package dev.graspsync.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One run of the built command line, to its end: what it said and its exit code. */
public record CommandRun(int exitCode, String out, String err) {

    private static final long PATIENCE_SECONDS = 120;

    /** @param environment further variables */
    public static CommandRun of(Path folder, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Process process = start(folder, environment, arguments);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("it does not end: " + ended(folder, -1));
        }
        return ended(folder, process.exitValue());
    }

    public static CommandRun of(Path folder, String... arguments) throws IOException, InterruptedException {
        return of(folder, Map.of(), arguments);
    }

    /** Begins it; {@link #ended} tells how it went. */
    public static Process start(Path folder, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(ServiceCommand.of(List.of()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    public static CommandRun ended(Path folder, int exitCode) throws IOException {
        return new CommandRun(
                exitCode, Files.readString(folder.resolve("out.txt")), Files.readString(folder.resolve("err.txt")));
    }

    @Override
    public String toString() {
        return "exit code " + exitCode + "\n" + out + "\n" + err;
    }
}
