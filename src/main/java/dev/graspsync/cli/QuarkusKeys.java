package dev.graspsync.cli;

import io.quarkus.runtime.configuration.NameIterator;
import io.smallrye.config.SmallRyeConfig;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.StreamSupport;

/** Which {@code quarkus.*} keys there are, as the build wrote it down for the warning that Quarkus logs at a start. */
final class QuarkusKeys {

    private static final String PREFIX = "quarkus.";

    private QuarkusKeys() {}

    /** What an operator set in vain. Variables are left out: what key one stands for can be told of known keys only. */
    static List<String> unknown(SmallRyeConfig config) {
        return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .filter(key -> key.startsWith(PREFIX))
                .filter(key -> Setting.of(key, config.getConfigValue(key)).isSetByFileOrOption())
                .filter(key -> !isKnown(key))
                .distinct()
                .sorted()
                .toList();
    }

    private static boolean isKnown(String key) {
        try {
            Method isMapped = Class.forName("io.quarkus.runtime.generated.Config")
                    .getDeclaredMethod("isMapped", NameIterator.class);
            isMapped.setAccessible(true);
            return Boolean.TRUE.equals(isMapped.invoke(null, new NameIterator(key)));
        } catch (ReflectiveOperationException | LinkageError absent) {
            // Another Quarkus may write it down otherwise; of what cannot be known nothing is said.
            return true;
        }
    }
}
