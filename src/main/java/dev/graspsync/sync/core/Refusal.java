package dev.graspsync.sync.core;

import java.util.Locale;
import java.util.regex.Pattern;

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

    /** Words, whole: a relay that is limited to members has no limit that asking for less would keep. */
    private static final Pattern RATE = words("rate[- ]limit(s|ed|ing)?|slow down|too fast|too many requests");

    private static final Pattern LIMIT =
            words("too many|too large|too long|too big|limits?|exceed(s|ed|ing)?|max|maximum|oversized?");
    /** Who blocks or restricts explains it in many words: only these are about the request. */
    private static final Pattern PLAIN_LIMIT = words("too many|too large");

    private static final Pattern SUBSCRIPTIONS = words("subscriptions?|concurrent|reqs?|subs");
    private static final Pattern FILTERS = words("filters?");
    private static final Pattern VALUES = words("tags?|values?|items?|elements?|size|large");
    private static final Pattern KIND = words("kinds?");
    private static final Pattern KINDS = words("kinds");
    private static final Pattern NEEDED =
            words("must|needs?|needed|requires?|required|missing|specify|specified|specific|without");
    private static final Pattern CLOSED_DOOR = Pattern.compile("(blocked|restricted|unsupported)\\b.*", Pattern.DOTALL);

    private static Pattern words(String any) {
        return Pattern.compile("\\b(" + any + ")\\b");
    }

    /** The meaning of a text: its machine-readable prefix first, its words second. */
    public static Refusal of(String message) {
        String text = message.toLowerCase(Locale.ROOT).replace('_', ' ').strip();
        if (text.startsWith("auth-required")) {
            return AUTH_REQUIRED;
        }
        if (text.startsWith("rate-limited") || has(text, RATE)) {
            return RATE_LIMITED;
        }
        boolean closedDoor = CLOSED_DOOR.matcher(text).matches();
        if (has(text, closedDoor ? PLAIN_LIMIT : LIMIT)) {
            return ofLimit(text);
        }
        if (has(text, closedDoor ? KINDS : KIND) && has(text, NEEDED)) {
            return KINDS_NEEDED;
        }
        return closedDoor ? FINAL : ERROR;
    }

    private static Refusal ofLimit(String text) {
        if (has(text, SUBSCRIPTIONS)) {
            return TOO_MANY_SUBSCRIPTIONS;
        }
        if (has(text, KIND)) {
            return TOO_MANY_KINDS;
        }
        return has(text, FILTERS) && !has(text, VALUES) ? TOO_MANY_FILTERS : TOO_LARGE;
    }

    private static boolean has(String text, Pattern words) {
        return words.matcher(text).find();
    }
}
