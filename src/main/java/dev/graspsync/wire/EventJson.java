package dev.graspsync.wire;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.EventText;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;

/**
 * Events as JSON, and the bytes their ids are made from. The tags and the content read the same in both, so one pass
 * writes the JSON and the digest is fed with slices of it. Lone surrogates have no UTF-8 and throw.
 */
public final class EventJson {

    private static final int FRAME = 400;

    private EventJson() {}

    /** The bytes whose SHA-256 is the id (NIP-01). */
    public static byte[] canonical(PublicKey pubkey, long createdAt, int kind, List<Tag> tags, String content) {
        JsonBytes out = new JsonBytes(FRAME + content.length());
        header(out, pubkey, createdAt, kind);
        tags(out, tags);
        return out.raw(',').string(content).raw(']').toBytes();
    }

    /** The id these fields have, whatever id the event states. */
    public static EventId id(Event event) {
        return id(event.pubkey(), event.createdAt(), event.kind(), event.tags(), event.content());
    }

    public static EventId id(PublicKey pubkey, long createdAt, int kind, List<Tag> tags, String content) {
        return EventId.ofBytes(sha256Digest().digest(canonical(pubkey, createdAt, kind, tags, content)));
    }

    public static boolean idMatches(Event event) {
        return id(event).equals(event.id());
    }

    public static byte[] write(Event event) {
        return Pass.over(event, Scratch.ofThread()).out.copy();
    }

    public static EncodedEvent encode(Event event) {
        return new EncodedEvent(event, write(event));
    }

    /** Encodes and checks the id in one pass; absent where the id is not that of the fields. */
    public static Optional<EncodedEvent> encodeIfIdMatches(Event event) {
        Scratch scratch = Scratch.ofThread();
        EventText text = event.text();
        if (text != null) {
            return id(event, text, scratch).equals(event.id())
                    ? Optional.of(new EncodedEvent(event, text.json()))
                    : Optional.empty();
        }
        Pass pass = Pass.over(event, scratch);
        return pass.id(event, scratch).equals(event.id())
                ? Optional.of(new EncodedEvent(event, pass.out.copy()))
                : Optional.empty();
    }

    /** Without writing what came written. */
    private static EventId id(Event event, EventText text, Scratch scratch) {
        JsonBytes header = scratch.header();
        header(header, event.pubkey(), event.createdAt(), event.kind());
        MessageDigest digest = scratch.sha256();
        digest.update(header.array(), 0, header.size());
        digest.update(text.message(), text.tags().from(), text.tags().length());
        digest.update((byte) ',');
        digest.update(text.message(), text.content().from(), text.content().length());
        digest.update((byte) ']');
        return EventId.ofBytes(digest.digest());
    }

    /** What a thread writes and digests with, over and over; what grew large for one event is let go. */
    private record Scratch(JsonBytes json, JsonBytes header, MessageDigest sha256) {

        private static final int KEPT = 64 << 10;
        private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::create);

        private static Scratch create() {
            return new Scratch(new JsonBytes(4 * FRAME), new JsonBytes(FRAME), sha256Digest());
        }

        static Scratch ofThread() {
            Scratch scratch = OF_THREAD.get();
            scratch.json.clear(KEPT);
            scratch.header.clear(KEPT);
            return scratch;
        }
    }

    /** The written JSON, and where in it the tags and the content lie. */
    private record Pass(JsonBytes out, int tagsFrom, int contentFrom, int contentTo) {

        static Pass over(Event event, Scratch scratch) {
            JsonBytes out = scratch.json();
            out.raw("{\"id\":\"");
            EventId id = event.id();
            out.hex(id.a()).hex(id.b()).hex(id.c()).hex(id.d());
            out.raw("\",\"pubkey\":\"");
            pubkey(out, event.pubkey());
            out.raw("\",\"created_at\":").number(event.createdAt());
            out.raw(",\"kind\":").number(event.kind());
            out.raw(",\"tags\":");
            int tagsFrom = out.size();
            tags(out, event.tags());
            out.raw(",\"content\":");
            int contentFrom = out.size();
            out.string(event.content());
            int contentTo = out.size();
            out.raw(",\"sig\":\"");
            for (int word = 0; word < Signature.BYTES / Long.BYTES; word++) {
                out.hex(event.sig().word(word));
            }
            out.raw("\"}");
            return new Pass(out, tagsFrom, contentFrom, contentTo);
        }

        EventId id(Event event, Scratch scratch) {
            JsonBytes header = scratch.header();
            header(header, event.pubkey(), event.createdAt(), event.kind());
            MessageDigest digest = scratch.sha256();
            digest.update(header.array(), 0, header.size());
            int tagsTo = contentFrom - ",\"content\":".length();
            digest.update(out.array(), tagsFrom, tagsTo - tagsFrom);
            digest.update((byte) ',');
            digest.update(out.array(), contentFrom, contentTo - contentFrom);
            digest.update((byte) ']');
            return EventId.ofBytes(digest.digest());
        }
    }

    private static void header(JsonBytes out, PublicKey key, long createdAt, int kind) {
        out.raw("[0,\"");
        pubkey(out, key);
        out.raw("\",").number(createdAt).raw(',').number(kind).raw(',');
    }

    private static void pubkey(JsonBytes out, PublicKey key) {
        out.hex(key.a()).hex(key.b()).hex(key.c()).hex(key.d());
    }

    private static void tags(JsonBytes out, List<Tag> tags) {
        out.raw('[');
        for (int i = 0; i < tags.size(); i++) {
            out.raw(i == 0 ? "[" : ",[");
            List<String> values = tags.get(i).values();
            for (int j = 0; j < values.size(); j++) {
                if (j > 0) {
                    out.raw(',');
                }
                out.string(values.get(j));
            }
            out.raw(']');
        }
        out.raw(']');
    }

    private static MessageDigest sha256Digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Reads an event that this service wrote itself. */
    public static Event read(byte[] json) {
        try (JsonInput in = JsonInput.openObject(json, 0, json.length)) {
            return EventReader.readOpened(in);
        } catch (IOException | MalformedException damaged) {
            throw new IllegalArgumentException("not an event that was written here", damaged);
        }
    }
}
