package dev.graspsync.relay;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.GoneEvent;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What relays have and this one does not keep: refused, superseded, deleted or expired. Comparisons (NIP-77) count it as
 * here, so that it is not fetched again and again (rule 18). Of each event its id, time, kind and hashes of its tags, so
 * that it is found by the filters of comparisons. A memory and no more: bounded in entries and time, and what is
 * forgotten is fetched once more; {@link UnwantedFile} keeps it while nothing runs. Used by any thread.
 */
public final class UnwantedEvents {

    static final Duration REMEMBERED = Duration.ofDays(7);
    private static final int MOST = 100_000;
    private static final int MOST_TERMS = 64;

    /** Gets what matches. */
    public interface Sink {
        void add(long createdAt, EventId id);
    }

    /** @param forNow whether it is wanted when something arrives that it lacks: {@link RejectedIds} know what */
    private record Entry(long createdAt, int kind, long[] terms, Instant until, boolean forNow) {}

    /** In the order they came, which is the order in which they are forgotten. */
    private final LinkedHashMap<EventId, Entry> entries = new LinkedHashMap<>();

    private final int most;

    public UnwantedEvents() {
        this(MOST);
    }

    UnwantedEvents(int most) {
        this.most = most;
    }

    public void add(EventFields event, Instant now) {
        add(event, now, false);
    }

    /** What was here once, without its tags: it is found by its time and kind alone. */
    public synchronized void add(GoneEvent event, Instant now) {
        if (event.createdAt() >= 0) {
            put(event.id(), new Entry(event.createdAt(), event.kind(), new long[0], now.plus(REMEMBERED), false), now);
        }
    }

    /** What may be wanted some day: see {@link #remove}. */
    void addForNow(EventFields event, Instant now) {
        add(event, now, true);
    }

    private synchronized void add(EventFields event, Instant now, boolean forNow) {
        long[] terms = terms(event);
        entries.remove(event.id());
        if (event.createdAt() >= 0) {
            put(event.id(), new Entry(event.createdAt(), event.kind(), terms, now.plus(REMEMBERED), forNow), now);
        }
    }

    private void put(EventId id, Entry entry, Instant now) {
        put(id, entry);
        while (!entries.isEmpty() && !entries.firstEntry().getValue().until().isAfter(now)) {
            entries.pollFirstEntry();
        }
    }

    private void put(EventId id, Entry entry) {
        entries.put(id, entry);
        if (entries.size() > most) {
            entries.pollFirstEntry();
        }
    }

    /** It may be wanted now. */
    synchronized void remove(EventId id) {
        entries.remove(id);
    }

    public synchronized boolean contains(EventId id) {
        return entries.containsKey(id);
    }

    synchronized int size() {
        return entries.size();
    }

    /** Those that a filter by kinds, tags and time matches; none where it asks for ids or authors. */
    public synchronized void matching(Filter filter, Sink sink) {
        if (filter.ids().isPresent() || filter.authors().isPresent()) {
            return;
        }
        List<Set<Long>> wanted = new ArrayList<>();
        filter.tags().forEach((name, values) -> {
            Set<Long> hashes = new HashSet<>();
            values.forEach(value -> hashes.add(term(name, value)));
            wanted.add(hashes);
        });
        long since = filter.since().orElse(0);
        long until = filter.until().orElse(Long.MAX_VALUE);
        for (Map.Entry<EventId, Entry> one : entries.entrySet()) {
            Entry entry = one.getValue();
            if (entry.createdAt() >= since
                    && entry.createdAt() <= until
                    && filter.kinds().map(kinds -> kinds.contains(entry.kind())).orElse(true)
                    && hasAll(entry.terms(), wanted)) {
                sink.add(entry.createdAt(), one.getKey());
            }
        }
    }

    synchronized void write(DataOutputStream out) throws IOException {
        out.writeInt(entries.size());
        for (Map.Entry<EventId, Entry> one : entries.entrySet()) {
            Entry entry = one.getValue();
            out.write(one.getKey().bytes());
            out.writeLong(entry.createdAt());
            out.writeInt(entry.kind());
            out.writeLong(entry.until().getEpochSecond());
            out.writeBoolean(entry.forNow());
            out.writeByte(entry.terms().length);
            for (long term : entry.terms()) {
                out.writeLong(term);
            }
        }
    }

    /** @param stillRejected whether it is known of an event what it lacks */
    synchronized void read(DataInputStream in, Instant now, Predicate<EventId> stillRejected) throws IOException {
        for (int left = in.readInt(); left > 0; left--) {
            EventId id = EventId.ofBytes(in.readNBytes(EventId.BYTES));
            long createdAt = in.readLong();
            int kind = in.readInt();
            Instant until = Instant.ofEpochSecond(in.readLong());
            boolean forNow = in.readBoolean();
            long[] terms = new long[in.readUnsignedByte()];
            for (int i = 0; i < terms.length; i++) {
                terms[i] = in.readLong();
            }
            if (until.isAfter(now) && (!forNow || stillRejected.test(id))) {
                put(id, new Entry(createdAt, kind, terms, until, forNow));
            }
        }
    }

    private static boolean hasAll(long[] terms, List<Set<Long>> wanted) {
        for (Set<Long> hashes : wanted) {
            boolean found = false;
            for (int i = 0; i < terms.length && !found; i++) {
                found = hashes.contains(terms[i]);
            }
            if (!found) {
                return false;
            }
        }
        return true;
    }

    /** By tags beyond these it is not found, and so its id comes up again; but it is not fetched again. */
    private static long[] terms(EventFields event) {
        return event.tags().stream()
                .filter(Tag::isIndexed)
                .mapToLong(tag -> term(tag.name(), tag.value()))
                .distinct()
                .limit(MOST_TERMS)
                .toArray();
    }

    /** Two that collide cost an id more or less in a comparison, nothing else. */
    private static long term(String name, String value) {
        long hash = name.charAt(0);
        for (int i = 0; i < value.length(); i++) {
            hash = (hash ^ value.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
