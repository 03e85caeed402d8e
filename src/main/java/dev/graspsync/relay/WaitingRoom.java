package dev.graspsync.relay;

import dev.graspsync.nostr.EventId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hot copies of refused events that something still to come may make acceptable (rule 27), so that a reply which
 * overtook its root need not be fetched again. Bounded in entries, bytes and time; the oldest goes first. Every call
 * costs in proportion to what it adds or removes. Not safe for several threads: its owner is the ingest.
 */
public final class WaitingRoom<T> {

    public static final Duration HOT = Duration.ofMinutes(2);

    /** One that waits, and for what. */
    record Waiting<T>(T payload, Set<String> lacks, Instant leavesAt) {}

    private record Entry<T>(long ticket, EventId id, Set<String> lacks, long bytes, T payload, Instant leavesAt) {}

    private final int maxEntries;
    private final long maxBytes;
    private final LinkedHashMap<EventId, Entry<T>> byArrival = new LinkedHashMap<>();
    private final Map<String, Map<EventId, Entry<T>>> byLack = new HashMap<>();
    private final Duration stay;
    private final Consumer<EventId> left;
    private long bytes;
    private long nextTicket;

    public WaitingRoom(int maxEntries, long maxBytes) {
        this(maxEntries, maxBytes, HOT, left -> {});
    }

    /** @param left told of every id that leaves, for whatever reason */
    WaitingRoom(int maxEntries, long maxBytes, Duration stay, Consumer<EventId> left) {
        if (maxEntries < 1 || maxBytes < 1) {
            throw new IllegalArgumentException("a waiting room needs room for one entry");
        }
        this.maxEntries = maxEntries;
        this.maxBytes = maxBytes;
        this.stay = stay;
        this.left = left;
    }

    /**
     * Holds a copy until one of the things it lacks arrives. An event that comes again counts as arriving anew. One that
     * lacks nothing, or is larger than the whole room, is not held.
     */
    public void add(EventId id, Set<String> lacks, long size, T payload, Instant now) {
        if (size < 0) {
            throw new IllegalArgumentException("size is negative");
        }
        evictExpired(now);
        remove(byArrival.get(id));
        if (lacks.isEmpty() || size > maxBytes) {
            return;
        }
        while (byArrival.size() >= maxEntries || bytes > maxBytes - size) {
            remove(byArrival.firstEntry().getValue());
        }
        Entry<T> entry = new Entry<>(nextTicket++, id, Set.copyOf(lacks), size, payload, now.plus(stay));
        byArrival.put(id, entry);
        bytes += size;
        for (String lack : entry.lacks()) {
            byLack.computeIfAbsent(lack, key -> new LinkedHashMap<>()).put(id, entry);
        }
    }

    /** Removes and returns, in the order they came, the copies that waited for any of these. */
    public List<T> takeFor(Collection<String> arrived, Instant now) {
        evictExpired(now);
        TreeSet<Entry<T>> found = new TreeSet<>(Comparator.comparingLong(Entry::ticket));
        for (String key : arrived) {
            found.addAll(byLack.getOrDefault(key, Map.of()).values());
        }
        found.forEach(this::remove);
        return found.stream().map(Entry::payload).toList();
    }

    /** Entries leave in the order they came, so the first that may stay ends the search. */
    public void evictExpired(Instant now) {
        while (!byArrival.isEmpty()) {
            Entry<T> oldest = byArrival.firstEntry().getValue();
            if (oldest.leavesAt().isAfter(now)) {
                return;
            }
            remove(oldest);
        }
    }

    /** In the order they came. */
    List<Waiting<T>> all() {
        return byArrival.values().stream()
                .map(entry -> new Waiting<>(entry.payload(), entry.lacks(), entry.leavesAt()))
                .toList();
    }

    boolean holds(EventId id) {
        return byArrival.containsKey(id);
    }

    public int size() {
        return byArrival.size();
    }

    public long bytes() {
        return bytes;
    }

    /** How many different things are waited for; zero when nobody waits. */
    int keys() {
        return byLack.size();
    }

    private void remove(@Nullable Entry<T> entry) {
        if (entry == null) {
            return;
        }
        byArrival.remove(entry.id());
        left.accept(entry.id());
        bytes -= entry.bytes();
        for (String lack : entry.lacks()) {
            byLack.computeIfPresent(lack, (key, waiting) -> {
                waiting.remove(entry.id());
                return waiting.isEmpty() ? null : waiting;
            });
        }
    }
}
