package dev.graspsync.cli;

import io.quarkus.runtime.configuration.AbstractConfigBuilder;
import io.quarkus.runtime.configuration.RuntimeConfigBuilder;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.ConfigValue;

/** The configuration as the service would see it, read without starting the service. */
final class Configuration {

    /** Made by the build from all {@code @ConfigMapping}s there are, Quarkus' own included. */
    private static final String GENERATED = "io.quarkus.runtime.generated.RunTimeConfig";

    private static final int ABOVE_ALL = Integer.MAX_VALUE;
    /** How SmallRye begins to say what is wrong with a value. */
    private static final Pattern NAMED = Pattern.compile("The config property (\\S+) ");

    private Configuration() {}

    /** Checked; a {@link io.smallrye.config.ConfigValidationException} names all that is wrong. */
    static SmallRyeConfig checked() {
        return checked(Map.of());
    }

    /** @param further what is to be checked as well */
    static SmallRyeConfig checked(Map<String, String> further) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder();
        AbstractConfigBuilder.withCustomizer(builder, GENERATED);
        builder.withSources(new PropertiesConfigSource(further, "environment", ABOVE_ALL));
        return builder.build();
    }

    /** With all defaults, also in the place of values that cannot be read, and with keys that do not exist. */
    static SmallRyeConfig asFarAsItCanBeRead() {
        Map<String, String> replaced = new HashMap<>();
        while (true) {
            SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder();
            AbstractConfigBuilder.withCustomizer(builder, GENERATED);
            builder.withSources(new PropertiesConfigSource(replaced, Setting.DEFAULT, ABOVE_ALL));
            try {
                return builder.withValidateUnknown(false).build();
            } catch (ConfigValidationException wrong) {
                Set<String> unreadable = keys(wrong);
                if (replaced.keySet().containsAll(unreadable)) {
                    return sources();
                }
                // An empty value is one that is not set.
                unreadable.forEach(
                        key -> replaced.put(key, builder.getDefaultValues().getOrDefault(key, "")));
            }
        }
    }

    private static Set<String> keys(ConfigValidationException wrong) {
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < wrong.getProblemCount(); i++) {
            Matcher named = NAMED.matcher(wrong.getProblem(i).getMessage());
            if (named.find()) {
                keys.add(named.group(1));
            }
        }
        return keys;
    }

    /** What is set, right or wrong. */
    static SmallRyeConfig sources() {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder();
        AbstractConfigBuilder.withCustomizer(builder, new RuntimeConfigBuilder());
        return builder.build();
    }

    /** Whether somebody has given this key a value of its own. */
    static boolean isSet(String key) {
        ConfigValue value = sources().getConfigValue(key);
        return value.getValue() != null && !Setting.of(key, value).source().equals(Setting.DEFAULT);
    }
}
