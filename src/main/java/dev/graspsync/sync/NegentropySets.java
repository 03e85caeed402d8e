package dev.graspsync.sync;

import dev.graspsync.negentropy.SealedSet;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.EventIngest;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.wire.EventJson;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Our side of comparisons (rule 18): what is stored, and what is here no more or never was wanted. Reads on threads of its
 * own; how many events all comparisons hold together is bounded.
 */
final class NegentropySets implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(NegentropySets.class);
    private static final int THREADS = 2;
    /** An event takes some 42 bytes. */
    private static final int MOST_IN_ONE = 1_000_000;

    private static final long MOST_IN_ALL = 2_000_000;
    private static final int TAKEN_AT_ONCE = 10_000;
    /** What came meanwhile is found to be known before it is fetched, so an older set does no harm. */
    private static final Duration SHARED = Duration.ofMinutes(2);

    /** What there is of ours to compare. */
    sealed interface Side {

        /** @param places to be given back when the comparison ends */
        record Ready(SealedSet set, long places) implements Side {}

        /** More than a comparison may hold; the second halves those that were read. */
        record TooMany(OptionalLong middle) implements Side {}

        /** Too many comparisons at once. */
        record NoRoom() implements Side {}
    }

    private record Whole(SealedSet set, Instant readAt) {}

    private final EventStore store;
    private final EventIngest ingest;
    private final PeerLacks lacks;
    private final InstantSource clock;
    private final AtomicLong taken = new AtomicLong();
    private final ExecutorService threads = Executors.newFixedThreadPool(
            THREADS,
            Thread.ofPlatform()
                    .name("compare-", 0)
                    .daemon()
                    .priority(Thread.MIN_PRIORITY)
                    .factory());
    private WeakReference<Whole> whole = new WeakReference<>(null);

    NegentropySets(EventStore store, EventIngest ingest, PeerLacks lacks, InstantSource clock) {
        this.store = store;
        this.ingest = ingest;
        this.lacks = lacks;
        this.clock = clock;
    }

    /** Runs what may block; nothing any more after the end. */
    void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException ended) {
            LOG.debugf("Nothing is compared any more: %s", ended);
        }
    }

    /** Reads what a filter matches. May block. */
    Side read(Filter filter) {
        return filter.equals(Filter.ALL) ? readWhole() : read(filter, MOST_IN_ALL);
    }

    /** Of everything there is one set for all relays, which are often compared with at the same time. */
    private synchronized Side readWhole() {
        Whole known = whole.get();
        if (known != null && known.readAt().plus(SHARED).isAfter(clock.instant())) {
            return new Side.Ready(known.set(), 0);
        }
        Instant now = clock.instant();
        Side side = read(Filter.ALL, Long.MAX_VALUE);
        if (side instanceof Side.Ready(SealedSet set, long places)) {
            giveBack(places);
            Whole fresh = new Whole(set, now);
            whole = new WeakReference<>(fresh);
            return new Side.Ready(set, 0);
        }
        return side;
    }

    private Side read(Filter filter, long room) {
        SealedSet.Builder set = SealedSet.builder(0);
        long places = 0;
        boolean done = false;
        try (EventCursor cursor = store.query(List.of(filter), MOST_IN_ONE + 1, 0)) {
            int count = 0;
            for (StoredEvent event = cursor.next(); event != null; event = cursor.next()) {
                if (count == MOST_IN_ONE) {
                    return new Side.TooMany(set.seal().middle());
                }
                if (count++ == places) {
                    if (!take(room)) {
                        return new Side.NoRoom();
                    }
                    places += TAKEN_AT_ONCE;
                }
                add(set, event.createdAt(), event.id());
            }
            ingest.unwanted().matching(filter, (createdAt, id) -> add(set, createdAt, id));
            done = true;
            return new Side.Ready(set.seal(), places);
        } finally {
            if (!done) {
                giveBack(places);
            }
        }
    }

    private static void add(SealedSet.Builder set, long createdAt, EventId id) {
        set.add(createdAt, id.a(), id.b(), id.c(), id.d());
    }

    private boolean take(long room) {
        if (taken.addAndGet(TAKEN_AT_ONCE) <= room) {
            return true;
        }
        taken.addAndGet(-TAKEN_AT_ONCE);
        return false;
    }

    void giveBack(long places) {
        taken.addAndGet(-places);
    }

    /** Whether there is no use in fetching an event. What was here once is fetched once, to be known by its tags. May block. */
    boolean isKnown(EventId id) {
        return ingest.unwanted().contains(id) || store.find(id).isPresent();
    }

    /** Some of what a relay lacks, for the log. May block. */
    void lacked(RelayUrl relay, List<EventId> ids) {
        lacks.lacked(relay, ids);
    }

    /** What came because a comparison had asked for it and was here already: it is here no more. */
    void notKept(EventFields event) {
        ingest.unwanted().add(event, clock.instant());
    }

    /** A live event, unless it is protected (NIP-70): that one is its author's alone to publish. May block. */
    Optional<Event> publishable(EventId id) {
        return store.find(id)
                .filter(event ->
                        event.tags().stream().noneMatch(tag -> tag.name().equals("-")))
                .filter(event -> !event.isExpired(clock.instant().getEpochSecond()))
                .map(event -> EventJson.read(event.json()));
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
