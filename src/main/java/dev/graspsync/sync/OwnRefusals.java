package dev.graspsync.sync;

import dev.graspsync.nostr.EventId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What the own relay did not take lately, for whoever asks after it. The newest so many. Any thread. */
final class OwnRefusals {

    private static final int MOST = 5_000;

    private final Map<EventId, OwnRefusal> newest;
    private int count;

    OwnRefusals() {
        this(MOST);
    }

    OwnRefusals(int most) {
        newest = new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<EventId, OwnRefusal> eldest) {
                return size() > most;
            }
        };
    }

    synchronized void add(EventId id, OwnRefusal refusal) {
        newest.remove(id);
        newest.put(id, refusal);
        count++;
    }

    synchronized Optional<OwnRefusal> find(EventId id) {
        return Optional.ofNullable(newest.get(id));
    }

    /** Ever, also those that are forgotten. */
    synchronized int count() {
        return count;
    }
}
