package dev.graspsync.cli;

import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/** A configuration key, its value for people's eyes, and who set it. */
record Setting(String key, String value, String source) {

    private static final Set<String> SHOWN_ALWAYS = Set.of(
            "quarkus.http.host",
            "quarkus.http.port",
            "quarkus.management.host",
            "quarkus.management.port",
            "quarkus.log.level");
    private static final Pattern SECRET =
            Pattern.compile("secret|password|passwd|token|credential|private-key|api-key", Pattern.CASE_INSENSITIVE);
    /** {@code user:password@} in a URL. */
    private static final Pattern USER_INFO = Pattern.compile("://[^/@\\s,]*@");

    private static final Pattern FILE = Pattern.compile("source=(?:file:)?([^]!]+)");

    static final String DEFAULT = "default";
    private static final String ENVIRONMENT = "environment";

    /**
     * Our own keys, where the service listens, and whatever else an operator has set; by name.
     *
     * @param set what is set, also where it cannot be read and the configuration has the default instead
     */
    static List<Setting> all(SmallRyeConfig config, SmallRyeConfig set) {
        Set<String> keys = new TreeSet<>(KeyNames.WITHOUT_DEFAULT);
        config.getPropertyNames().forEach(keys::add);
        return keys.stream()
                .filter(Setting::isKey)
                .map(key -> {
                    Setting own = of(key, set.getConfigValue(key));
                    return own.isSet() ? own : of(key, config.getConfigValue(key));
                })
                .filter(Setting::isShown)
                .toList();
    }

    private boolean isSet() {
        return !source.equals(DEFAULT);
    }

    boolean isSetByFileOrOption() {
        return isSet() && !source.equals(ENVIRONMENT);
    }

    /** Environment variables show up under their own names as well. */
    private static boolean isKey(String name) {
        return name.startsWith("grasp.") || name.startsWith("quarkus.");
    }

    private boolean isShown() {
        return key.startsWith("grasp.") || SHOWN_ALWAYS.contains(key) || !source.equals(DEFAULT);
    }

    static Setting of(String key, ConfigValue value) {
        return new Setting(key, masked(key, value.getValue()), source(key, value.getSourceName()));
    }

    private static String masked(String key, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            return "(unset)";
        }
        return SECRET.matcher(key).find() ? "********" : withoutUserInfo(value);
    }

    /** A password in a URL is a secret wherever it is set. */
    static String withoutUserInfo(String text) {
        return USER_INFO.matcher(text).replaceAll("://********@");
    }

    private static String source(String key, @Nullable String name) {
        if (name == null) {
            return DEFAULT;
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.contains("sysprop")) {
            return "-D" + key;
        }
        if (lower.contains("envconfigsource[source=file") || lower.contains(".env]")) {
            return file(name);
        }
        if (lower.contains("envconfigsource") || lower.equals(ENVIRONMENT)) {
            return ENVIRONMENT;
        }
        if (lower.startsWith("propertiesconfigsource[source=file") || lower.contains("yaml")) {
            return file(name);
        }
        return DEFAULT;
    }

    private static String file(String name) {
        Matcher matcher = FILE.matcher(name);
        return matcher.find() ? Path.of(matcher.group(1)).toString() : name;
    }
}
