package dev.graspsync.observe.api;

import dev.graspsync.nostr.Prefix;
import dev.graspsync.store.Provenance;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Parts of sentences for people. */
final class Words {

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int LONG_AGO = 90;

    private Words() {}

    static String at(Instant time) {
        return MINUTE.format(time);
    }

    static String atSecond(long seconds) {
        // Anybody may write any number into an event.
        return seconds > Instant.parse("9999-12-31T00:00:00Z").getEpochSecond()
                ? "second " + seconds
                : at(Instant.ofEpochSecond(seconds));
    }

    /** A length of time, roughly. */
    static String length(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < LONG_AGO) {
            return counted(seconds, "second");
        }
        if (seconds < 90 * 60) {
            return counted(Math.round(seconds / 60.0), "minute");
        }
        return seconds < 36 * 3600
                ? counted(Math.round(seconds / 3600.0), "hour")
                : counted(Math.round(seconds / 86400.0), "day");
    }

    static String counted(long number, String one) {
        return number == 1
                ? "1 " + one
                : number + " " + (one.endsWith("y") ? one.substring(0, one.length() - 1) + "ies" : one + "s");
    }

    /** How an event came, after "it". */
    static String came(Provenance from) {
        String relay = from.relay().map(Object::toString).orElse("another relay");
        return switch (from.way()) {
            case DIRECT -> "was published here directly";
            case LIVE -> "came from " + relay + " as it was published there";
            case FIRST_SYNC -> "was found at " + relay + " when that relay was first read";
            case CATCH_UP ->
                "was found at " + relay + " when it was caught up with, after the connection had been lost";
            case FRESH_SYNC -> "was found at " + relay + " when everything there was looked at once more";
        };
    }

    /** A refusal's message without its machine-readable prefix. */
    static String reason(String message) {
        int colon = message.indexOf(':');
        return Prefix.of(message).isPresent() ? message.substring(colon + 1).strip() : message;
    }

    static String sentence(String text) {
        String whole = text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
        return whole.endsWith(".") ? whole : whole + ".";
    }
}
