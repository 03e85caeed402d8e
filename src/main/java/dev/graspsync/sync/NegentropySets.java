package dev.graspsync.sync;

import dev.graspsync.negentropy.SealedSet;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.UnwantedEvents;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.wire.EventJson;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Our side of comparisons (rule 18): what is stored, and what is here no more or never was wanted. Reads on threads of its
 * own; how many events all comparisons hold together is bounded.
 */
final class NegentropySets implements AutoCloseable {

    private static final int THREADS = 2;
    private static final int TAKEN_AT_ONCE = 10_000;
    /** What came meanwhile is found to be known before it is fetched, so an older set does no harm. */
    private static final Duration SHARED = Duration.ofMinutes(2);
    /** While one of them is compared anyway, another would only take room. */
    private static final Duration SHARED_WHILE_USED = Duration.ofMinutes(10);
    /** A store does not shrink so soon, and to count it takes as long as to read it. */
    private static final Duration STILL_TOO_MANY = Duration.ofHours(1);

    /** What there is of ours to compare. */
    sealed interface Side {

        /** @param held to be given back, once, when the comparison ends */
        record Ready(SealedSet set, Runnable held) implements Side {}

        /** More than a comparison may hold; the second halves those that were read. */
        record TooMany(OptionalLong middle) implements Side {}

        /** Too many comparisons at once. */
        record NoRoom() implements Side {}
    }

    /** Everything there was at one time, for as many comparisons as begin soon after. */
    private static final class Whole {

        final SealedSet set;
        final Runnable held;
        final Instant readAt;
        int users;

        Whole(Side.Ready read, Instant readAt) {
            this.set = read.set();
            this.held = read.held();
            this.readAt = readAt;
        }

        boolean isFresh(Instant now) {
            return readAt.plus(users > 0 ? SHARED_WHILE_USED : SHARED).isAfter(now);
        }
    }

    private record TooMany(Side.TooMany side, Instant until) {}

    private final EventStore store;
    private final UnwantedEvents unwanted;
    private final PeerLacks lacks;
    private final InstantSource clock;
    private final ComparingRoom room;
    private final ComparingRoom pushRoom;
    private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(
            THREADS,
            Thread.ofPlatform()
                    .name("compare-", 0)
                    .daemon()
                    .priority(Thread.MIN_PRIORITY)
                    .factory(),
            new ThreadPoolExecutor.DiscardPolicy());
    /** Held while everything is read, which takes its time: who comes meanwhile shares what is read. */
    private final Object reading = new Object();

    private @Nullable Whole whole;
    private @Nullable TooMany tooMany;

    NegentropySets(
            EventStore store, UnwantedEvents unwanted, PeerLacks lacks, InstantSource clock, ComparingRoom room) {
        this.store = store;
        this.unwanted = unwanted;
        this.lacks = lacks;
        this.clock = clock;
        this.room = room;
        this.pushRoom = room.quarter();
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Of its own, because a slow relay may take hours to be published to. */
    ComparingRoom pushRoom() {
        return pushRoom;
    }

    Instant now() {
        return clock.instant();
    }

    /** Runs what may block; nothing any more after the end. */
    void execute(Runnable task) {
        threads.execute(task);
    }

    /** Reads what a filter matches. May block. */
    Side read(Filter filter) {
        return filter.equals(Filter.ALL) ? readWhole() : readOf(filter);
    }

    /** Of everything there is one set for all relays, which are often compared with at the same time. */
    private Side readWhole() {
        synchronized (reading) {
            Side known = known();
            if (known != null) {
                return known;
            }
            Instant now = now();
            Side side = readOf(Filter.ALL);
            return switch (side) {
                case Side.Ready ready -> lend(new Whole(ready, now));
                case Side.TooMany many -> remember(many, now);
                case Side.NoRoom none -> none;
            };
        }
    }

    private synchronized @Nullable Side known() {
        Instant now = now();
        Whole last = whole;
        if (last != null && last.isFresh(now)) {
            return lend(last);
        }
        forget(now);
        return tooMany != null && tooMany.until().isAfter(now) ? tooMany.side() : null;
    }

    private synchronized Side lend(Whole lent) {
        whole = lent;
        lent.users++;
        return new Side.Ready(lent.set, () -> takeBack(lent));
    }

    private synchronized Side remember(Side.TooMany many, Instant now) {
        tooMany = new TooMany(many, now.plus(STILL_TOO_MANY));
        return many;
    }

    private synchronized void takeBack(Whole lent) {
        lent.users--;
        if (lent.users > 0) {
            return;
        }
        if (lent != whole) {
            lent.held.run();
        } else {
            forget(now());
            if (whole != null) {
                threads.schedule(() -> forget(now()), SHARED.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    /** A set that is too old for another comparison is given back, by whoever uses it last. */
    private synchronized void forget(Instant now) {
        Whole last = whole;
        if (last != null && !last.isFresh(now)) {
            whole = null;
            if (last.users == 0) {
                last.held.run();
            }
        }
    }

    private Side readOf(Filter filter) {
        Reading set = new Reading();
        Side side = new Side.NoRoom();
        try (EventCursor cursor = store.query(List.of(filter), room.mostInOne() + 1, 0)) {
            for (StoredEvent event = cursor.next(); event != null; event = cursor.next()) {
                if (set.count == room.mostInOne()) {
                    side = new Side.TooMany(set.items.seal().middle());
                    return side;
                }
                if (!set.add(event.createdAt(), event.id())) {
                    return side;
                }
            }
            unwanted.matching(filter, set::add);
            if (set.fits) {
                long places = set.places;
                side = new Side.Ready(set.items.seal(), () -> room.giveBack(places));
            }
            return side;
        } finally {
            if (!(side instanceof Side.Ready)) {
                room.giveBack(set.places);
            }
        }
    }

    /** A set as it is read, with the room it takes. */
    private final class Reading {

        final SealedSet.Builder items = SealedSet.builder(0);
        int count;
        long places;
        boolean fits = true;

        /** Whether there was room for it. */
        boolean add(long createdAt, EventId id) {
            if (count == places && fits) {
                fits = room.take(TAKEN_AT_ONCE);
                places += fits ? TAKEN_AT_ONCE : 0;
            }
            if (fits) {
                count++;
                items.add(createdAt, id.a(), id.b(), id.c(), id.d());
            }
            return fits;
        }
    }

    /**
     * Whether there is no use in fetching an event: it is here, or was, or was refused. What was here once counts as here
     * from now on, as far as it is found without its tags. May block.
     */
    boolean isKnown(EventId id) {
        if (unwanted.contains(id)) {
            return true;
        }
        boolean known = store.isKnown(id);
        if (known) {
            store.whyGone(id).ifPresent(gone -> unwanted.add(gone, now()));
        }
        return known;
    }

    /** Some of what a relay lacks, for the log. May block. */
    void lacked(RelayUrl relay, List<EventId> ids) {
        lacks.lacked(relay, ids);
    }

    /** A live event, unless it is protected (NIP-70): that one is its author's alone to publish. May block. */
    Optional<Event> publishable(EventId id) {
        return store.find(id)
                .filter(event ->
                        event.tags().stream().noneMatch(tag -> tag.name().equals("-")))
                .filter(event -> !event.isExpired(now().getEpochSecond()))
                .map(event -> EventJson.read(event.json()));
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
