package dev.graspsync.wire;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Reads one filter object. A field it does not know would change what is asked for, so it is refused. */
final class FilterReader {

    private Optional<Set<EventId>> ids = Optional.empty();
    private Optional<Set<PublicKey>> authors = Optional.empty();
    private Optional<Set<Integer>> kinds = Optional.empty();
    private final Map<String, Set<String>> tags = new LinkedHashMap<>();
    private OptionalLong since = OptionalLong.empty();
    private OptionalLong until = OptionalLong.empty();
    private OptionalInt limit = OptionalInt.empty();

    private FilterReader() {}

    /** Reads the filter whose opening brace is the current token. */
    static Filter read(JsonInput in) throws IOException, MalformedException {
        FilterReader reader = new FilterReader();
        Set<String> seen = new HashSet<>();
        while (in.hasField()) {
            String name = in.fieldName();
            if (!seen.add(name)) {
                throw new MalformedException("duplicate filter field " + MalformedException.quote(name));
            }
            reader.field(in, name);
        }
        return new Filter(
                reader.ids,
                reader.authors,
                reader.kinds,
                Collections.unmodifiableMap(reader.tags),
                reader.since,
                reader.until,
                reader.limit);
    }

    private void field(JsonInput in, String name) throws IOException, MalformedException {
        switch (name) {
            case "ids" -> ids = Optional.of(set(in, name, () -> hex(EventId.parse(in.currentString(name)), name)));
            case "authors" ->
                authors = Optional.of(set(in, name, () -> hex(PublicKey.parse(in.currentString(name)), name)));
            case "kinds" -> kinds = Optional.of(set(in, name, () -> (int) in.currentInteger(name, Kind.MAX)));
            case "since" -> since = OptionalLong.of(in.integer(name, Long.MAX_VALUE));
            case "until" -> until = OptionalLong.of(in.integer(name, Long.MAX_VALUE));
            // More than an int is as good as no limit.
            case "limit" -> limit = OptionalInt.of((int) Math.min(in.integer(name, Long.MAX_VALUE), Integer.MAX_VALUE));
            default -> {
                if (!name.matches("#[a-zA-Z]")) {
                    throw new MalformedException("unsupported filter field " + MalformedException.quote(name));
                }
                tags.put(name.substring(1), set(in, name, () -> in.currentString(name)));
            }
        }
    }

    private interface Element<T> {
        T read() throws IOException, MalformedException;
    }

    private static <T> Set<T> set(JsonInput in, String name, Element<T> element)
            throws IOException, MalformedException {
        in.startArray(name);
        Set<T> all = new LinkedHashSet<>();
        while (in.hasElement()) {
            all.add(element.read());
        }
        return Collections.unmodifiableSet(all);
    }

    private static <T> T hex(Optional<T> parsed, String name) throws MalformedException {
        return parsed.orElseThrow(() -> new MalformedException(name + " must be 64 lower-case hex digits each"));
    }
}
