package dev.graspsync.sync;

import dev.graspsync.nostr.EventId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Places in the log of events that the own relay did not take again and again. Each is offered once an hour, one at a
 * time, so that nothing else waits for it. After a day of that it is left out, but only if the relay took others
 * meanwhile: one that takes nothing at all may have been misconfigured, and loses nothing by that.
 */
final class SetAside {

    static final int MOST = 1_024;
    static final Duration EVERY = Duration.ofHours(1);
    static final int MOST_ATTEMPTS = 24;

    private static final class Place {

        final long seq;
        final long takenBefore;
        int attempts;
        Instant due;

        Place(long seq, long takenBefore, Instant due) {
            this.seq = seq;
            this.takenBefore = takenBefore;
            this.due = due;
        }
    }

    /** The one that waits for its OK. */
    private record Offer(EventId id, Place place, Instant until) {}

    private final TreeMap<Long, Place> places = new TreeMap<>();
    private long taken;
    private @Nullable Offer offer;

    int size() {
        return places.size();
    }

    List<Long> seqs() {
        return List.copyOf(places.keySet());
    }

    /** Those of the last run: offered again at once. */
    void restore(Collection<Long> seqs) {
        seqs.stream().limit(MOST).forEach(seq -> places.put(seq, new Place(seq, taken, Instant.MIN)));
    }

    /** Whether there was room for it. */
    boolean add(long seq, Instant now) {
        if (places.size() >= MOST) {
            return false;
        }
        places.put(seq, new Place(seq, taken, now.plus(EVERY)));
        return true;
    }

    /** The place of the event to offer next. */
    OptionalLong due(Instant now) {
        if (offer != null) {
            return OptionalLong.empty();
        }
        return places.values().stream()
                .filter(place -> !place.due.isAfter(now))
                .min(Comparator.comparing(place -> place.due))
                .map(place -> OptionalLong.of(place.seq))
                .orElse(OptionalLong.empty());
    }

    void offered(long seq, EventId id, Instant now) {
        Place place = places.get(seq);
        if (place != null) {
            offer = new Offer(id, place, now.plus(Unanswered.ANSWER));
        }
    }

    /** Whether an answer to it means the one that was offered. */
    boolean isOffered(EventId id) {
        Offer open = offer;
        return open != null && open.id().equals(id);
    }

    /** The relay took an event, whichever it was. */
    void tookOne() {
        taken++;
    }

    /** What was offered is answered for good. */
    void done() {
        Offer open = offer;
        if (open != null) {
            gone(open.place().seq);
        }
    }

    /** The event is no longer in the store, or not to be offered any more. */
    void gone(long seq) {
        places.remove(seq);
        offer = null;
    }

    /** What was offered is to be offered again as soon as anything is sent. */
    void again() {
        Offer open = offer;
        if (open != null) {
            open.place().due = Instant.MIN;
            offer = null;
        }
    }

    /** It was not taken this time either. Returns it if it is left out from now on. */
    Optional<EventId> failed(Instant now) {
        Offer open = offer;
        offer = null;
        if (open == null) {
            return Optional.empty();
        }
        Place place = open.place();
        place.due = now.plus(EVERY);
        if (++place.attempts < MOST_ATTEMPTS || taken == place.takenBefore) {
            return Optional.empty();
        }
        places.remove(place.seq);
        return Optional.of(open.id());
    }

    /** Whether the OK of what was offered is overdue. */
    boolean isOverdue(Instant now) {
        Offer open = offer;
        return open != null && !open.until().isAfter(now);
    }

    boolean isOffering() {
        return offer != null;
    }
}
