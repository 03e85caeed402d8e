package dev.graspsync.nostr;

import java.util.List;

/** One tag of an event: a name and its values. An empty tag is allowed by NIP-01's grammar and has the name "". */
public record Tag(List<String> values) {

    public Tag {
        values = List.copyOf(values);
    }

    public static Tag of(String... values) {
        return new Tag(List.of(values));
    }

    public String name() {
        return values.isEmpty() ? "" : values.getFirst();
    }

    public boolean hasValue() {
        return values.size() > 1;
    }

    /** The first value, or "" where the tag has none. */
    public String value() {
        return hasValue() ? values.get(1) : "";
    }

    /** NIP-01: only the first value of a tag named by one letter a-z or A-Z is indexed. */
    public boolean isIndexed() {
        return hasValue() && isLetter(name());
    }

    static boolean isLetter(String name) {
        if (name.length() != 1) {
            return false;
        }
        char c = name.charAt(0);
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }
}
