package dev.graspsync.sync;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How far publishing to the own relay is, as the ledger remembers it.
 *
 * @param upTo the place in the log up to which everything was answered
 * @param aside places before it of what was not taken yet
 */
record Published(long upTo, List<Long> aside) {

    private static final String UP_TO = "published-up-to";
    private static final String ASIDE = "published-aside";

    static final Published NOTHING = upTo(0);

    Published {
        aside = List.copyOf(aside);
    }

    static Published upTo(long seq) {
        return new Published(seq, List.of());
    }

    /** Null where nothing is remembered. What cannot be read counts as nothing: to publish twice does no harm. */
    static @Nullable Published read(Map<String, String> fields) {
        String upTo = fields.get(UP_TO);
        if (upTo == null) {
            return null;
        }
        List<Long> aside = Arrays.stream(fields.getOrDefault(ASIDE, "").split(" "))
                .filter(Published::isNumber)
                .map(Long::valueOf)
                .toList();
        return new Published(isNumber(upTo) ? Long.parseLong(upTo) : 0, aside);
    }

    Map<String, String> write() {
        return Map.of(
                UP_TO,
                String.valueOf(upTo),
                ASIDE,
                aside.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]{1,18}");
    }
}
