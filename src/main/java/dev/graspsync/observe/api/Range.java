package dev.graspsync.observe.api;

import dev.graspsync.nostr.RelayUrl;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which part of a list is asked for; checked. */
record Range(String query, int offset, int limit) {

    static final int MOST = 1_000;
    private static final int LONGEST_QUERY = 200;

    static Range of(Optional<String> query, Optional<String> offset, Optional<String> limit) {
        String wanted = query.orElse("").strip().toLowerCase(Locale.ROOT);
        if (wanted.length() > LONGEST_QUERY) {
            throw ApiProblem.badRequest("q is longer than " + LONGEST_QUERY + " characters");
        }
        return new Range(wanted, number("offset", offset, 0, 0, 1_000_000), number("limit", limit, MOST, 1, MOST));
    }

    private static int number(String name, Optional<String> text, int otherwise, int least, int most) {
        if (text.isEmpty()) {
            return otherwise;
        }
        int number = text.get().matches("[0-9]{1,7}") ? Integer.parseInt(text.get()) : -1;
        if (number < least || number > most) {
            throw ApiProblem.badRequest("%s is not a number between %d and %d".formatted(name, least, most));
        }
        return number;
    }

    boolean matches(String text) {
        return query.isEmpty() || text.toLowerCase(Locale.ROOT).contains(query);
    }

    <T> List<T> of(List<T> all) {
        int from = Math.min(offset, all.size());
        return all.subList(from, Math.min(all.size(), from + limit));
    }

    /** A relay's URL from a path. */
    static RelayUrl relay(String text) {
        return RelayUrl.parse(text)
                .orElseThrow(() -> ApiProblem.badRequest(
                        "not a relay's URL: it begins with wss:// or ws:// and is percent-encoded in a path"));
    }
}
