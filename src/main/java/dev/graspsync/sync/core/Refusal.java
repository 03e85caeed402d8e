package dev.graspsync.sync.core;

import java.util.Locale;

/** What a CLOSED or NOTICE text asks us to do differently (rule 7). */
public enum Refusal {
    AUTH_REQUIRED,
    RATE_LIMITED,
    TOO_MANY_SUBSCRIPTIONS,
    TOO_MANY_FILTERS,
    TOO_LARGE,
    KINDS_NEEDED,
    TOO_MANY_KINDS,
    /** Blocked, restricted or unsupported: asked again after a day. */
    FINAL,
    /** An error of the relay's own: asked again soon. */
    ERROR;

    /** The meaning of a text: its machine-readable prefix first, its words second. */
    public static Refusal of(String message) {
        String text = message.toLowerCase(Locale.ROOT).strip();
        if (text.startsWith("auth-required")) {
            return AUTH_REQUIRED;
        }
        if (text.startsWith("rate-limited") || has(text, "rate limit", "rate-limit", "slow down", "too fast")) {
            return RATE_LIMITED;
        }
        if (has(text, "too many", "too large", "too long", "too big", "limit", "exceed", "maximum", "oversize")) {
            return ofLimit(text);
        }
        if (has(text, "kind") && has(text, "must", "need", "requir", "missing", "specif", "without")) {
            return KINDS_NEEDED;
        }
        if (text.startsWith("blocked") || text.startsWith("restricted") || text.startsWith("unsupported")) {
            return FINAL;
        }
        return ERROR;
    }

    private static Refusal ofLimit(String text) {
        if (has(text, "subscription", "concurrent", "reqs", "subs")) {
            return TOO_MANY_SUBSCRIPTIONS;
        }
        if (has(text, "kind")) {
            return TOO_MANY_KINDS;
        }
        return has(text, "filter") && !has(text, "tag", "value", "item", "element", "size", "large")
                ? TOO_MANY_FILTERS
                : TOO_LARGE;
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
