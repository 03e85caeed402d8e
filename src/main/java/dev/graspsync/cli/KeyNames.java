package dev.graspsync.cli;

import io.smallrye.config.SmallRyeConfig;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The names of configuration keys, in files and in the environment. */
final class KeyNames {

    /** Letters to change in a name, at the most, for it to be what somebody meant. */
    private static final int MOST_CHANGES = 4;

    /** Our keys that may have no value, and so do not show up where nobody has set them. */
    static final Set<String> WITHOUT_DEFAULT = Set.of(
            "grasp.api.token",
            "grasp.own-relay.url",
            "grasp.relay.created-at-lower-limit",
            "grasp.sync.bootstrap-relays",
            "grasp.sync.secret-key",
            "grasp.sync.trust");

    private KeyNames() {}

    /** Our keys that have a value. */
    static List<String> of(SmallRyeConfig config) {
        return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .filter(key -> key.startsWith("grasp."))
                .toList();
    }

    static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    static String noSuchKey(String key, SmallRyeConfig config) {
        String prefix = key.substring(0, key.indexOf('.') + 1);
        Stream<String> all = Stream.concat(
                StreamSupport.stream(config.getPropertyNames().spliterator(), false), WITHOUT_DEFAULT.stream());
        return key + " is not a key"
                + all.filter(known -> known.startsWith(prefix))
                        .filter(known -> !known.equals(key))
                        .min(Comparator.comparingInt(known -> changes(known, key)))
                        .filter(known -> changes(known, key) <= MOST_CHANGES)
                        .map(known -> ": did you mean " + known + "?")
                        .orElse("");
    }

    /** Letters to insert, remove or replace to make one of the other. */
    static int changes(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
