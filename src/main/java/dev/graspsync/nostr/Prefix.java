package dev.graspsync.nostr;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The machine-readable first word of an {@code OK} or {@code CLOSED} message (NIP-01). */
public enum Prefix {
    DUPLICATE,
    BLOCKED,
    RATE_LIMITED,
    INVALID,
    RESTRICTED,
    AUTH_REQUIRED,
    ERROR,
    POW,
    MUTE,
    UNSUPPORTED;

    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    public String with(String text) {
        return word + ": " + text;
    }

    /** The prefix a message starts with, if it is one of the known ones. */
    public static Optional<Prefix> of(String message) {
        int colon = message.indexOf(':');
        if (colon < 0) {
            return Optional.empty();
        }
        String word = message.substring(0, colon);
        return Arrays.stream(values())
                .filter(prefix -> prefix.word.equals(word))
                .findFirst();
    }

    @Override
    public String toString() {
        return word;
    }
}
