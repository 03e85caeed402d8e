package dev.graspsync.store.h2;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.h2.EventRecord.State;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Packs events as {@link EventRecord} reads them, one after the other in the same buffer. Not for several threads. */
final class RecordPacker {

    /** What grew large for one event is let go. */
    private static final int KEPT = 64 << 10;

    private ByteBuffer out = ByteBuffer.allocate(4 << 10);

    byte[] pack(EncodedEvent encoded, int reason, Provenance from, long firstSeen) {
        List<Tag> tags = encoded.event().tags();
        byte[] relay = relay(from);
        clear(EventRecord.REST + Integer.BYTES + mostOf(tags) + encoded.json().length + relay.length + Short.BYTES);
        putHead(State.LIVE, reason, encoded.event(), from, firstSeen);
        out.putInt(0);
        putTags(tags);
        out.putInt(EventRecord.REST, out.position() - EventRecord.REST - Integer.BYTES);
        out.put(encoded.json());
        return finish(relay);
    }

    /** An announcement that takes its repository off: it was never here itself. */
    byte[] packDelisted(EventFields event, long addressTerm, Provenance from, long firstSeen) {
        byte[] relay = relay(from);
        clear(EventRecord.REST + EventId.BYTES + Long.BYTES + relay.length + Short.BYTES);
        putHead(State.DELISTED, 0, event, from, firstSeen);
        event.id().write(out);
        out.putLong(addressTerm);
        return finish(relay);
    }

    /** What stays of an event that is gone. */
    byte[] packGone(EventRecord event, State why, EventId by) {
        byte[] relay = relay(event.provenance());
        clear(EventRecord.REST + EventId.BYTES + relay.length + Short.BYTES);
        putHead(why, event.reason(), event, event.provenance(), event.firstSeen());
        by.write(out);
        return finish(relay);
    }

    private void clear(int needed) {
        if (out.capacity() < needed || out.capacity() > KEPT) {
            out = ByteBuffer.allocate(Math.max(needed, 4 << 10));
        }
        out.clear();
    }

    private byte[] finish(byte[] relay) {
        out.put(relay).putShort((short) relay.length);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static byte[] relay(Provenance from) {
        return from.relay().map(RelayUrl::toString).orElse("").getBytes(UTF_8);
    }

    private void putHead(State state, int reason, EventFields event, Provenance from, long firstSeen) {
        out.put((byte) state.ordinal()).put((byte) reason).put((byte) from.way().ordinal());
        event.id().write(out);
        event.pubkey().write(out);
        out.putLong(event.createdAt()).putInt(event.kind());
        out.putLong(event.expiration().orElse(Long.MAX_VALUE));
        out.putLong(firstSeen);
    }

    /** As many bytes as the tags can take: three for each character. */
    private static int mostOf(List<Tag> tags) {
        int most = 5;
        for (int i = 0; i < tags.size(); i++) {
            List<String> values = tags.get(i).values();
            most += 5;
            for (int j = 0; j < values.size(); j++) {
                most += 5 + 3 * values.get(j).length();
            }
        }
        return most;
    }

    private void putTags(List<Tag> tags) {
        Block.putVarint(out, tags.size());
        for (int i = 0; i < tags.size(); i++) {
            List<String> values = tags.get(i).values();
            Block.putVarint(out, values.size());
            for (int j = 0; j < values.size(); j++) {
                byte[] text = values.get(j).getBytes(UTF_8);
                Block.putVarint(out, text.length);
                out.put(text);
            }
        }
    }
}
