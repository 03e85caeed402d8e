package dev.graspsync.cli;

import dev.graspsync.relay.Relay;
import dev.graspsync.relay.RelayConfig;
import dev.graspsync.sync.OwnRelayConfig;
import dev.graspsync.sync.SyncConfig;
import dev.graspsync.sync.SyncManager;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that is wrong with a configuration, as far as that can be seen without starting the service: values that cannot be
 * read, keys that do not exist, values that make no sense, a data folder that cannot be written.
 */
record ConfigProblems(SmallRyeConfig config, List<String> problems) {

    private static final String NOT_A_KEY = "does not map to any root";

    static ConfigProblems find() {
        SmallRyeConfig config = Configuration.asFarAsItCanBeRead();
        List<String> problems = new ArrayList<>();
        try {
            Configuration.checked(onlyInTheEnvironment(config));
        } catch (ConfigValidationException wrong) {
            problems.addAll(said(wrong, config));
        }
        QuarkusKeys.unknown(config).forEach(key -> problems.add(KeyNames.noSuchKey(key, config)));
        RelayConfig relay = config.getConfigMapping(RelayConfig.class);
        check(problems, () -> Relay.check(relay));
        check(
                problems,
                () -> SyncManager.check(
                        config.getConfigMapping(SyncConfig.class), config.getConfigMapping(OwnRelayConfig.class)));
        check(problems, () -> checkFolder(relay.dataDir()));
        return new ConfigProblems(config, List.copyOf(problems));
    }

    private static void check(List<String> problems, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException wrong) {
            problems.add(String.valueOf(wrong.getMessage()));
        }
    }

    /**
     * Variables that stand for no key that is known, as the keys they would stand for. A misspelt variable is set for
     * nobody, so nothing else finds it; whether it is misspelt, or a key that has no value elsewhere, a check tells.
     */
    private static Map<String, String> onlyInTheEnvironment(SmallRyeConfig config) {
        Map<String, String> keys = new LinkedHashMap<>();
        System.getenv().forEach((variable, value) -> {
            if (variable.startsWith("GRASP_")) {
                String dotted = variable.toLowerCase(Locale.ROOT).replace('_', '.');
                boolean known = KeyNames.of(config).stream()
                        .anyMatch(key ->
                                !key.equals(dotted) && KeyNames.variable(key).equals(variable));
                if (!known) {
                    keys.put(dotted, value);
                }
            }
        });
        return keys;
    }

    private static List<String> said(ConfigValidationException wrong, SmallRyeConfig readable) {
        Set<String> said = new LinkedHashSet<>();
        for (int i = 0; i < wrong.getProblemCount(); i++) {
            String line = StartFailure.oneLine(wrong.getProblem(i).getMessage());
            int end = line.indexOf(' ');
            said.add(line.contains(NOT_A_KEY) && end > 0 ? KeyNames.noSuchKey(line.substring(0, end), readable) : line);
        }
        return List.copyOf(said);
    }

    private static void checkFolder(Path folder) {
        @Nullable Path existing = folder.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null || !Files.isDirectory(existing) || !Files.isWritable(existing)) {
            throw new IllegalArgumentException(
                    "grasp.data-dir: " + folder.toAbsolutePath() + " is not a folder this user can write to");
        }
    }
}
