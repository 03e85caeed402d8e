package dev.graspsync.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What starts the built service: the native binary where that is what was built, and else the JVM with the jar. */
public final class ServiceCommand {

    /** As the service is to be run, see docs/architecture.md. */
    private static final List<String> JVM = List.of(
            "-XX:+UseParallelGC",
            "-XX:+UseCompactObjectHeaders",
            "-XX:ThreadPriorityPolicy=1",
            "-Djdk.nio.maxCachedBufferSize=262144");
    /** The same of the C library, of which there is one variable. */
    static final Map<String, String> ENVIRONMENT = Map.of("MALLOC_ARENA_MAX", "2");

    /** Of the JVM alone: the binary has a limit of its own, and is tested with it. */
    private static final String HEAP = "-Xmx384m";

    private ServiceCommand() {}

    /** How it is run, for people. */
    public static String options() {
        String binary = System.getProperty("service.binary", "");
        return binary.isEmpty() ? HEAP + " " + String.join(" ", JVM) : "native";
    }

    /** What makes it end where memory is not enough, as the binary does by itself, with these further properties. */
    public static String[] endingWithoutMemory(String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        if (System.getProperty("service.binary", "").isEmpty()) {
            all.add("-XX:+ExitOnOutOfMemoryError");
        }
        return all.toArray(String[]::new);
    }

    /** @param properties configuration, each as {@code -Dkey=value} */
    public static List<String> of(List<String> properties) {
        String binary = System.getProperty("service.binary", "");
        List<String> command = new ArrayList<>();
        if (binary.isEmpty()) {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(JVM);
            command.add(HEAP);
        } else {
            command.add(binary);
        }
        String extra = System.getProperty("bench.service.args", "");
        if (!extra.isEmpty()) {
            command.addAll(List.of(extra.split(" ")));
        }
        // The log as people read it; what is named later counts.
        command.add("-Dquarkus.log.console.json.enabled=false");
        command.addAll(properties);
        if (binary.isEmpty()) {
            command.addAll(List.of(
                    "-jar",
                    Path.of("target", "quarkus-app", "quarkus-run.jar")
                            .toAbsolutePath()
                            .toString()));
        }
        return command;
    }
}
