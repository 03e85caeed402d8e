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
    /** Anybody makes as many of them as they like, so they have places of their own. */
    private static final int MOST_FORGED = 500;

    private final Map<EventId, Refusal> byId;
    private final Map<EventId, Refusal> forged;
    private long changes;

    Refusals() {
        this(MOST, MOST_FORGED);
    }

    Refusals(int most, int mostForged) {
        byId = newest(most);
        forged = newest(mostForged);
    }

    private static Map<EventId, Refusal> newest(int most) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<EventId, Refusal> eldest) {
                return size() > most;
            }
        };
    }

    /** What anybody can forge, an event with another's id, replaces nothing that is known of the true one. */
    synchronized void add(Refusal refusal) {
        boolean genuine = refusal.because() != Refusal.Because.FORGED;
        if (!genuine && byId.containsKey(refusal.id())) {
            return;
        }
        Map<EventId, Refusal> its = genuine ? byId : forged;
        forged.remove(refusal.id());
        its.remove(refusal.id());
        its.put(refusal.id(), refusal);
        changes++;
    }

    public synchronized Optional<Refusal> find(EventId id) {
        return Optional.ofNullable(byId.get(id)).or(() -> Optional.ofNullable(forged.get(id)));
    }

    /** The newest refused event with this address, which nobody forged. */
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

    /** Oldest first, forgeries before the others. */
    synchronized List<Refusal> all() {
        List<Refusal> all = new ArrayList<>(forged.values());
        all.addAll(byId.values());
        return all;
    }
}
