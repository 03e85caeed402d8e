package dev.graspsync.wire;

import com.fasterxml.jackson.core.JsonToken;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Reads one event object. Unknown fields are ignored, known ones must come exactly once. */
final class EventReader {

    /** The largest integer that JSON readers of every language hold exactly. */
    private static final long MAX_CREATED_AT = 1L << 53;

    private @Nullable EventId id;
    private @Nullable PublicKey pubkey;
    private long createdAt = -1;
    private int kind = -1;
    private @Nullable List<Tag> tags;
    private @Nullable String content;
    private @Nullable Signature sig;

    private EventReader() {}

    /** Reads the event whose opening brace is the next token. */
    static Event read(JsonInput in) throws IOException, MalformedException {
        in.startObject("event");
        return readOpened(in);
    }

    /** Reads the event whose opening brace was the last token. */
    static Event readOpened(JsonInput in) throws IOException, MalformedException {
        EventReader reader = new EventReader();
        while (in.hasField()) {
            reader.field(in, in.fieldName());
        }
        return reader.event();
    }

    private void field(JsonInput in, String name) throws IOException, MalformedException {
        switch (name) {
            case "id" -> {
                once(name, id == null);
                id = hex(name, 64, EventId.parse(in.string(name)));
            }
            case "pubkey" -> {
                once(name, pubkey == null);
                pubkey = hex(name, 64, PublicKey.parse(in.string(name)));
            }
            case "created_at" -> {
                once(name, createdAt < 0);
                createdAt = in.integer(name, MAX_CREATED_AT);
            }
            case "kind" -> {
                once(name, kind < 0);
                kind = (int) in.integer(name, Kind.MAX);
            }
            case "tags" -> {
                once(name, tags == null);
                tags = tags(in);
            }
            case "content" -> {
                once(name, content == null);
                content = in.string(name);
            }
            case "sig" -> {
                once(name, sig == null);
                sig = hex(name, 128, Signature.parse(in.string(name)));
            }
            default -> {
                in.next();
                in.skip();
            }
        }
    }

    private static void once(String name, boolean first) throws MalformedException {
        if (!first) {
            throw new MalformedException("duplicate field " + name);
        }
    }

    private static <T> T hex(String name, int digits, Optional<T> parsed) throws MalformedException {
        return parsed.orElseThrow(() -> new MalformedException(name + " is not " + digits + " lower-case hex digits"));
    }

    private static List<Tag> tags(JsonInput in) throws IOException, MalformedException {
        in.startArray("tags");
        List<Tag> tags = new ArrayList<>();
        while (in.hasElement()) {
            if (in.current() != JsonToken.START_ARRAY) {
                throw new MalformedException("a tag is not an array");
            }
            List<String> values = new ArrayList<>(4);
            while (in.hasElement()) {
                values.add(in.currentString("a tag's element"));
            }
            tags.add(new Tag(values));
        }
        return tags;
    }

    private Event event() throws MalformedException {
        if (id == null
                || pubkey == null
                || createdAt < 0
                || kind < 0
                || tags == null
                || content == null
                || sig == null) {
            throw new MalformedException("missing " + missing());
        }
        return new Event(id, pubkey, createdAt, kind, tags, content, sig);
    }

    private String missing() {
        StringJoiner names = new StringJoiner(", ");
        name(names, "id", id == null);
        name(names, "pubkey", pubkey == null);
        name(names, "created_at", createdAt < 0);
        name(names, "kind", kind < 0);
        name(names, "tags", tags == null);
        name(names, "content", content == null);
        name(names, "sig", sig == null);
        return names.toString();
    }

    private static void name(StringJoiner names, String name, boolean missing) {
        if (missing) {
            names.add(name);
        }
    }

    /** The id a malformed event states, so that the refusal can name it; a second look, for refusals only. */
    static Optional<EventId> statedId(byte[] buf, int off, int len) {
        try (JsonInput in = JsonInput.open(buf, off, len)) {
            in.next();
            in.startObject("event");
            while (in.hasField()) {
                boolean found = in.fieldName().equals("id");
                in.next();
                if (found) {
                    return EventId.parse(in.currentString("id"));
                }
                in.skip();
            }
            return Optional.empty();
        } catch (IOException | MalformedException e) {
            return Optional.empty();
        }
    }
}
