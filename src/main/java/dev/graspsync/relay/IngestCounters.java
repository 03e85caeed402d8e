package dev.graspsync.relay;

import dev.graspsync.nostr.Prefix;
import dev.graspsync.store.Provenance.Way;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** What became of all events that wanted in since the start. Counted on any thread. */
public final class IngestCounters {

    private final Map<Way, LongAdder> stored = new EnumMap<>(Way.class);
    private final Map<Prefix, LongAdder> refused = new EnumMap<>(Prefix.class);
    private final LongAdder known = new LongAdder();
    private final LongAdder unwanted = new LongAdder();

    IngestCounters() {
        for (Way way : Way.values()) {
            stored.put(way, new LongAdder());
        }
        for (Prefix prefix : Prefix.values()) {
            refused.put(prefix, new LongAdder());
        }
    }

    /** After the commit, also for events that had waited for another one. */
    void stored(Way way) {
        Objects.requireNonNull(stored.get(way)).increment();
    }

    void settled(IngestResult result) {
        if (result.isUnwanted()) {
            unwanted.increment();
        } else if (!result.accepted()) {
            Prefix prefix = Prefix.of(result.message()).orElse(Prefix.ERROR);
            Objects.requireNonNull(refused.get(prefix)).increment();
        } else if (!result.message().isEmpty()) {
            known.increment();
        }
    }

    public long storedCount(Way way) {
        return Objects.requireNonNull(stored.get(way)).sum();
    }

    /** Events that were here already, or a newer version of them. */
    public long knownCount() {
        return known.sum();
    }

    /** Events that came because a relay is asked by kind alone, and that concern nothing here. */
    public long unwantedCount() {
        return unwanted.sum();
    }

    public long refusedCount(Prefix prefix) {
        return Objects.requireNonNull(refused.get(prefix)).sum();
    }
}
