package dev.graspsync.cli;

import java.util.Map;
import picocli.CommandLine.Option;

/** Configuration on the command line. The native binary takes {@code -D} for itself; behind a jar it comes here. */
final class Properties {

    @Option(
            names = "-D",
            paramLabel = "<key>=<value>",
            mapFallbackValue = "true",
            description = "Sets a configuration key for this run.")
    void set(Map<String, String> values) {
        values.forEach(System::setProperty);
    }
}
