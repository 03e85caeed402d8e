package dev.graspsync.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What starts the built service: the native binary where that is what was built, and else the JVM with the jar. */
public final class ServiceCommand {

    /** As the service is to be run, see docs/architecture.md. */
    private static final List<String> JVM =
            List.of("-XX:+UseParallelGC", "-XX:ThreadPriorityPolicy=1", "-Djdk.nio.maxCachedBufferSize=262144");
    /** The same of the C library, of which there is one variable. */
    static final Map<String, String> ENVIRONMENT = Map.of("MALLOC_ARENA_MAX", "2");

    private static final String HEAP = "-Xmx384m";

    private ServiceCommand() {}

    /** How it is run, for people. */
    public static String options() {
        String binary = System.getProperty("service.binary", "");
        return binary.isEmpty() ? HEAP + " " + String.join(" ", JVM) : "native, " + HEAP;
    }

    /** @param properties configuration, each as {@code -Dkey=value} */
    public static List<String> of(List<String> properties) {
        String binary = System.getProperty("service.binary", "");
        List<String> command = new ArrayList<>();
        if (binary.isEmpty()) {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(JVM);
        } else {
            command.add(binary);
        }
        command.add(HEAP);
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
