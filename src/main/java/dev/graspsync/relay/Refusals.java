package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why events were refused lately, for whoever asks after one. A memory only: the newest so many, and what is refused
 * again moves to the end. Costs nothing for events that are taken. Any thread.
 */
public final class Refusals {

    private static final int MOST = 20_000;

    private final Map<EventId, Refusal> byId;
    private long changes;

    Refusals() {
        this(MOST);
    }

    Refusals(int most) {
        byId = new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<EventId, Refusal> eldest) {
                return size() > most;
            }
        };
    }

    /** What anybody can forge, an event with another's id, replaces nothing that is known of the true one. */
    synchronized void add(Refusal refusal) {
        if (refusal.because() == Refusal.Because.FORGED && byId.containsKey(refusal.id())) {
            return;
        }
        byId.remove(refusal.id());
        byId.put(refusal.id(), refusal);
        changes++;
    }

    public synchronized Optional<Refusal> find(EventId id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** The newest refused event with this address. */
    public synchronized Optional<Refusal> find(Address address) {
        Refusal newest = null;
        for (Refusal refusal : byId.values()) {
            if (refusal.address().filter(address::equals).isPresent()
                    && (newest == null || refusal.createdAt() >= newest.createdAt())) {
                newest = refusal;
            }
        }
        return Optional.ofNullable(newest);
    }

    /** Grows with each that is added. */
    synchronized long changes() {
        return changes;
    }

    /** Oldest first. */
    synchronized List<Refusal> all() {
        return new ArrayList<>(byId.values());
    }
}
