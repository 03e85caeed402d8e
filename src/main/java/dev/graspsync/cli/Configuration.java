package dev.graspsync.cli;

import io.quarkus.runtime.configuration.AbstractConfigBuilder;
import io.quarkus.runtime.configuration.RuntimeConfigBuilder;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigValue;

/** The configuration as the service would see it, read without starting the service. */
final class Configuration {

    /** Made by the build from all {@code @ConfigMapping}s there are, Quarkus' own included. */
    private static final String GENERATED = "io.quarkus.runtime.generated.RunTimeConfig";

    private static final int ABOVE_ALL = Integer.MAX_VALUE;

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

    /** With all defaults, and with keys that do not exist; without defaults where a value cannot be read. */
    static SmallRyeConfig asFarAsItCanBeRead() {
        try {
            SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder();
            AbstractConfigBuilder.withCustomizer(builder, GENERATED);
            return builder.withValidateUnknown(false).build();
        } catch (ConfigValidationException wrong) {
            return sources();
        }
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
