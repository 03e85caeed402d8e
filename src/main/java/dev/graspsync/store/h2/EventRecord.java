package dev.graspsync.store.h2;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.GoneEvent;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.StoredEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event as it lies in the file: state, reason, way, id, pubkey, created_at, kind, expiration, when it was first seen,
 * then either tags and JSON or, for an event that is gone, the id of the one that made it so and, if it is delisted, the
 * term of its address; last the relay it came from. Fields are read where they lie; tags on demand. {@link RecordPacker} writes it.
 */
final class EventRecord implements StoredEvent {

    /** Whether an event is to be served, or why it is not. */
    enum State {
        LIVE,
        SUPERSEDED,
        DELETED,
        EXPIRED,
        /** A newer announcement that took its repository off this service; stays to outrank older versions. */
        DELISTED
    }

    private static final int WAY = 2;
    private static final int ID = 3;
    private static final int PUBKEY = ID + EventId.BYTES;
    private static final int CREATED_AT = PUBKEY + PublicKey.BYTES;
    private static final int KIND = CREATED_AT + Long.BYTES;
    private static final int EXPIRATION = KIND + Integer.BYTES;
    private static final int FIRST_SEEN = EXPIRATION + Long.BYTES;
    static final int REST = FIRST_SEEN + Long.BYTES;
    private static final State[] STATES = State.values();
    private static final Provenance.Way[] WAYS = Provenance.Way.values();

    private final long seq;
    private final ByteBuffer bytes;
    private final EventId id;
    private @Nullable List<Tag> tags;

    private EventRecord(long seq, byte[] packed) {
        this.seq = seq;
        this.bytes = ByteBuffer.wrap(packed);
        this.id = EventId.read(bytes.slice(ID, EventId.BYTES));
    }

    static EventRecord of(long seq, byte[] packed) {
        return new EventRecord(seq, packed);
    }

    /** How many bytes it is. */
    int size() {
        return bytes.capacity();
    }

    State state() {
        return STATES[bytes.get(0)];
    }

    boolean isLive() {
        return bytes.get(0) == 0;
    }

    /** The event that made this one go. */
    EventId goneBy() {
        return isLive() ? id : EventId.read(bytes.slice(REST, EventId.BYTES));
    }

    /** By which a delisted announcement is found: its tags are not here. */
    long addressTerm() {
        return bytes.getLong(REST + EventId.BYTES);
    }

    /** What is left of an event that is not live. */
    GoneEvent gone() {
        GoneEvent.Why why = switch (state()) {
            case SUPERSEDED -> GoneEvent.Why.SUPERSEDED;
            case DELETED -> GoneEvent.Why.DELETED;
            case EXPIRED -> GoneEvent.Why.EXPIRED;
            case DELISTED -> GoneEvent.Why.DELISTED;
            case LIVE -> throw new IllegalStateException("it is here");
        };
        return new GoneEvent(id, kind(), pubkey(), createdAt(), why, goneBy(), provenance(), firstSeen());
    }

    @Override
    public long seq() {
        return seq;
    }

    @Override
    public int reason() {
        return bytes.get(1);
    }

    @Override
    public Provenance provenance() {
        int length = relayLength();
        byte[] relay = new byte[length];
        bytes.get(bytes.capacity() - Short.BYTES - length, relay);
        return new Provenance(WAYS[bytes.get(WAY)], RelayUrl.parse(new String(relay, UTF_8)));
    }

    private int relayLength() {
        return bytes.getShort(bytes.capacity() - Short.BYTES);
    }

    @Override
    public long firstSeen() {
        return bytes.getLong(FIRST_SEEN);
    }

    @Override
    public EventId id() {
        return id;
    }

    @Override
    public PublicKey pubkey() {
        return PublicKey.read(bytes.slice(PUBKEY, PublicKey.BYTES));
    }

    @Override
    public long createdAt() {
        return bytes.getLong(CREATED_AT);
    }

    @Override
    public int kind() {
        return bytes.getInt(KIND);
    }

    @Override
    public Optional<Long> expiration() {
        long at = Kind.isForGood(kind()) ? Long.MAX_VALUE : bytes.getLong(EXPIRATION);
        return at == Long.MAX_VALUE ? Optional.empty() : Optional.of(at);
    }

    @Override
    public boolean isExpired(long nowSeconds) {
        return bytes.getLong(EXPIRATION) <= nowSeconds && !Kind.isForGood(kind());
    }

    @Override
    public List<Tag> tags() {
        List<Tag> read = tags;
        if (read == null) {
            read = isLive() ? readTags() : List.of();
            tags = read;
        }
        return read;
    }

    private List<Tag> readTags() {
        ByteBuffer in = bytes.slice(REST + Integer.BYTES, bytes.getInt(REST));
        int count = (int) Block.getVarint(in);
        List<Tag> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int size = (int) Block.getVarint(in);
            String[] values = new String[size];
            for (int j = 0; j < size; j++) {
                byte[] text = new byte[(int) Block.getVarint(in)];
                in.get(text);
                values[j] = new String(text, UTF_8);
            }
            all.add(Tag.of(values));
        }
        return List.copyOf(all);
    }

    @Override
    public byte[] json() {
        int start = REST + Integer.BYTES + bytes.getInt(REST);
        byte[] json = new byte[bytes.capacity() - Short.BYTES - relayLength() - start];
        bytes.get(start, json);
        return json;
    }
}
