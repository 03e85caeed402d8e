package dev.graspsync.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.EventText;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads an event the way nearly all of them come: without white space, unknown fields or escapes that need not be. It
 * says nothing of anything else, well-formed or not: {@link EventReader} does. What it reads, that one reads the same.
 */
final class CompactEvent {

    private static final int LONGEST_NUMBER = 15;
    private static final int ALL_FIELDS = 7;

    private static final EventText.Range NOWHERE = new EventText.Range(0, 0);

    /** Says that the bytes are not such an event. */
    private static final int OTHER = -1;

    private final byte[] in;
    private final int end;
    private int at;

    private @Nullable EventId id;
    private @Nullable PublicKey pubkey;
    private long createdAt = -1;
    private long kind = -1;
    private @Nullable List<Tag> tags;
    private @Nullable String content;
    private @Nullable Signature sig;
    private EventText.Range tagsRange = NOWHERE;
    private EventText.Range contentRange = NOWHERE;
    /** Whether every string so far is escaped as NIP-01 wants it in ids. */
    private boolean canonical = true;

    private CompactEvent(byte[] in, int from, int end) {
        this.in = in;
        this.at = from;
        this.end = end;
    }

    /**
     * The event of a message that ends with it, its opening brace being at {@code from}; or null. The bytes become part of
     * the event and are not to be changed afterwards.
     */
    static @Nullable Event read(byte[] in, int from, int end) {
        if (end - from > JsonInput.MAX_STRING) {
            return null;
        }
        CompactEvent reader = new CompactEvent(in, from, end);
        return reader.fields() && reader.take(']') && reader.at == end ? reader.event(from) : null;
    }

    private @Nullable Event event(int from) {
        return id == null
                        || pubkey == null
                        || createdAt < 0
                        || kind < 0
                        || tags == null
                        || content == null
                        || sig == null
                ? null
                : new Event(
                        id,
                        pubkey,
                        createdAt,
                        (int) kind,
                        tags,
                        content,
                        sig,
                        canonical ? new EventText(in, from, end - 1, tagsRange, contentRange) : null);
    }

    private boolean fields() {
        boolean good = take('{');
        for (int i = 0; good && i < ALL_FIELDS; i++) {
            good = (i == 0 || take(',')) && field();
        }
        return good && take('}');
    }

    /** Each field once: what comes a second time would leave another one out. */
    private boolean field() {
        if (end - at < 8) {
            return false;
        }
        switch (in[at + 1]) {
            case 'i' -> {
                String hex = take("\"id\":") ? hex(2 * EventId.BYTES) : null;
                id = hex == null ? null : EventId.parse(hex).orElse(null);
                return id != null;
            }
            case 'p' -> {
                String hex = take("\"pubkey\":") ? hex(2 * PublicKey.BYTES) : null;
                pubkey = hex == null ? null : PublicKey.parse(hex).orElse(null);
                return pubkey != null;
            }
            case 'k' -> {
                kind = take("\"kind\":") ? number() : OTHER;
                return kind >= 0 && kind <= Kind.MAX;
            }
            case 't' -> {
                int before = at + "\"tags\":".length();
                tags = take("\"tags\":") ? tags() : null;
                tagsRange = new EventText.Range(before, at);
                return tags != null;
            }
            case 's' -> {
                String hex = take("\"sig\":") ? hex(2 * Signature.BYTES) : null;
                sig = hex == null ? null : Signature.parse(hex).orElse(null);
                return sig != null;
            }
            default -> {
                return take("\"created_at\":") ? createdAt() : take("\"content\":") && content();
            }
        }
    }

    private boolean createdAt() {
        createdAt = number();
        return createdAt >= 0;
    }

    private boolean content() {
        int before = at;
        content = string();
        contentRange = new EventText.Range(before, at);
        return content != null;
    }

    private boolean take(char expected) {
        boolean found = at < end && in[at] == expected;
        at += found ? 1 : 0;
        return found;
    }

    private boolean take(String expected) {
        int length = expected.length();
        if (end - at < length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (in[at + i] != expected.charAt(i)) {
                return false;
            }
        }
        at += length;
        return true;
    }

    private @Nullable String hex(int digits) {
        if (end - at < digits + 2 || in[at] != '"' || in[at + 1 + digits] != '"') {
            return null;
        }
        String text = new String(in, at + 1, digits, ISO_8859_1);
        at += digits + 2;
        return text;
    }

    private long number() {
        long value = 0;
        int from = at;
        while (at < end && in[at] >= '0' && in[at] <= '9' && at - from < LONGEST_NUMBER) {
            value = 10 * value + in[at++] - '0';
        }
        boolean leadingZero = at - from > 1 && in[from] == '0';
        return at == from || leadingZero ? OTHER : value;
    }

    private @Nullable List<Tag> tags() {
        if (!take('[')) {
            return null;
        }
        List<Tag> all = new ArrayList<>();
        List<String> values = new ArrayList<>();
        if (take(']')) {
            return all;
        }
        do {
            values.clear();
            if (!take('[')) {
                return null;
            }
            if (!take(']')) {
                do {
                    String value = string();
                    if (value == null) {
                        return null;
                    }
                    values.add(value);
                } while (take(','));
                if (!take(']')) {
                    return null;
                }
            }
            all.add(new Tag(values));
        } while (take(','));
        return take(']') ? all : null;
    }

    private @Nullable String string() {
        if (!take('"')) {
            return null;
        }
        int from = at;
        int seen = 0;
        int i = from;
        while (i < end && in[i] != '"' && in[i] != '\\') {
            // Negative where a byte is not ASCII, or is a control character, which JSON has to escape.
            seen |= in[i] | in[i] - ' ';
            i++;
        }
        if (i >= end) {
            return null;
        }
        if (in[i] == '\\') {
            return escaped(from, i);
        }
        at = i + 1;
        if (seen >= 0) {
            return new String(in, from, i - from, ISO_8859_1);
        }
        return beyondAscii(in, from, i - from);
    }

    private static @Nullable String beyondAscii(byte[] bytes, int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (bytes[i] >= 0 && bytes[i] < ' ') {
                return null;
            }
        }
        return Utf8.isValid(bytes, from, length) ? new String(bytes, from, length, UTF_8) : null;
    }

    /** A string whose first backslash is known. Of all escapes only those by one letter are understood. */
    private @Nullable String escaped(int from, int firstBackslash) {
        byte[] text = new byte[closingQuote(firstBackslash) - from];
        int length = firstBackslash - from;
        System.arraycopy(in, from, text, 0, length);
        int i = firstBackslash;
        while (i < end && in[i] != '"') {
            int c = in[i++];
            if (c >= 0 && c < ' ') {
                return null;
            }
            if (c == '\\') {
                canonical &= i < end && in[i] != '/';
                c = i < end ? unescaped(in[i++]) : OTHER;
                if (c == OTHER) {
                    return null;
                }
            }
            text[length++] = (byte) c;
        }
        at = i + 1;
        return i < end && Utf8.isValid(text, 0, length) ? new String(text, 0, length, UTF_8) : null;
    }

    private int closingQuote(int firstBackslash) {
        int i = firstBackslash;
        while (i < end && in[i] != '"') {
            i += in[i] == '\\' ? 2 : 1;
        }
        return Math.min(i, end);
    }

    private static int unescaped(byte letter) {
        return switch (letter) {
            case '"', '\\', '/' -> letter;
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            default -> OTHER;
        };
    }
}
