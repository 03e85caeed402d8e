package dev.graspsync.cli;

import dev.graspsync.store.StoreFailure;
import io.quarkus.runtime.QuarkusBindException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Words for an operator, from what the start threw. */
public final class StartFailure {

    /** What configuration errors are wrapped in: class names and numbers of messages. */
    private static final Pattern FOR_DEVELOPERS =
            Pattern.compile("Configuration validation failed:|java\\.[a-z.]+\\.[A-Za-z]+Exception: |SRCFG[0-9]+: ");

    /** How SmallRye says that a value cannot be read. */
    private static final Pattern NOT_CONVERTED = Pattern.compile(
            "The config property (\\S+) with the config value (\".*?\") threw an Exception whilst being converted"
                    + "(?: Cannot convert \\S+ to enum class [\\w.$]+, allowed values:)?");

    private StartFailure() {}

    /** One line: what the innermost cause that says anything says. */
    public static String explain(Throwable failure) {
        List<Throwable> causes = causes(failure);
        for (Throwable cause : causes) {
            if (cause instanceof QuarkusBindException bind) {
                return "port " + bind.getPort() + " is in use by another process: stop it, or set quarkus.http.port"
                        + " or quarkus.management.port";
            }
            // The store's own words are made for operators; what it was caused by is not.
            if (cause instanceof StoreFailure) {
                return oneLine(String.valueOf(cause.getMessage()));
            }
        }
        for (Throwable cause : causes.reversed()) {
            String message = cause.getMessage();
            if (message != null && !message.isBlank()) {
                return oneLine(message);
            }
        }
        return failure.toString();
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> all = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        @Nullable Throwable next = failure;
        while (next != null && seen.add(next)) {
            all.add(next);
            next = next.getCause();
        }
        return all;
    }

    static String oneLine(String text) {
        String words = FOR_DEVELOPERS.matcher(text).replaceAll("");
        return NOT_CONVERTED
                .matcher(words)
                .replaceAll("$1: $2 cannot be used;")
                .strip()
                .replaceAll("\\s*\\R\\s*", "; ");
    }
}
