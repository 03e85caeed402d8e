package dev.graspsync.sync.core;

import java.util.Locale;
import java.util.OptionalLong;

/** What the reason of a NEG-ERR, or a NOTICE in its place, asks us to do (rule 20). */
enum NegentropyRefusal {
    AUTH_REQUIRED,
    RATE_LIMITED,
    /** More events match than the relay compares. */
    OVERFLOW,
    /** It does not like the filter: its size, or that it names no kinds. */
    FILTER,
    /** It does not compare with us. */
    UNSUPPORTED,
    /** Perhaps later. */
    TRANSIENT;

    static NegentropyRefusal of(String reason, OptionalLong cap) {
        String text = reason.toLowerCase(Locale.ROOT).replace('_', ' ').strip();
        if (text.startsWith("auth-required")) {
            return AUTH_REQUIRED;
        }
        if (cap.isPresent()
                || has(text, "results", "query is too big", "query too big", "too many records", "too many events")) {
            return OVERFLOW;
        }
        if (has(text, "unsupported", "not supported", "disabled", "not enabled", "unknown", "unrecogni", "bad msg")) {
            return UNSUPPORTED;
        }
        return switch (Refusal.of(reason)) {
            case AUTH_REQUIRED -> AUTH_REQUIRED;
            case RATE_LIMITED, TOO_MANY_SUBSCRIPTIONS -> RATE_LIMITED;
            case TOO_MANY_FILTERS, TOO_LARGE, KINDS_NEEDED, TOO_MANY_KINDS -> FILTER;
            case FINAL -> UNSUPPORTED;
            case ERROR -> text.startsWith("invalid") ? UNSUPPORTED : TRANSIENT;
        };
    }

    /** Whether a NOTICE, which names nobody, speaks of a message that the relay does not understand. */
    static boolean isMeant(String notice) {
        return has(
                notice.toLowerCase(Locale.ROOT),
                "neg",
                "unknown",
                "unrecogni",
                "unsupported",
                "not supported",
                "invalid",
                "bad msg",
                "command",
                "message type",
                "parse");
    }

    private static boolean has(String text, String... words) {
        for (String word : words) {
            if (text.contains(word)) {
                return true;
            }
        }
        return false;
    }
}
