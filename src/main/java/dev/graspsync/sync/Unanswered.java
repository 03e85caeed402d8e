package dev.graspsync.sync;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was published and waits for its OK. After a drop it is sent one event at a time: who makes the relay hang up is
 * found, and does not hold up the others.
 */
final class Unanswered {

    private static final int MOST = 64;
    /** An event at which the relay hung up that often, alone on the wire, is set aside. */
    private static final int MOST_DROPS = 3;

    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** An event and its place in the log. */
    static final class Sent {

        final long seq;
        final Event event;
        private int drops;
        private boolean onTheWire;
        private Instant due = Instant.MIN;

        Sent(long seq, Event event) {
            this.seq = seq;
            this.event = event;
        }

        private void await(Instant due) {
            onTheWire = false;
            this.due = due;
        }
    }

    private final Map<EventId, Sent> events = new LinkedHashMap<>();
    private boolean cautious;

    /** How many more may be sent. */
    int room() {
        return cautious ? 0 : MOST - events.size();
    }

    /** Whether one is sent at a time. */
    boolean isCautious() {
        return cautious;
    }

    void sent(Sent sent, Instant now) {
        events.put(sent.event.id(), sent);
        sent.await(now.plus(ANSWER));
        sent.onTheWire = true;
    }

    @Nullable
    Sent get(EventId id) {
        return events.get(id);
    }

    void done(Sent sent) {
        events.remove(sent.event.id());
        cautious &= !events.isEmpty();
    }

    /** To be sent again as soon as anything is. */
    void again(Sent sent) {
        sent.await(Instant.MIN);
    }

    /** To be sent again when an answer would be overdue. */
    void later(Sent sent, Instant now) {
        sent.await(now.plus(ANSWER));
    }

    /** What is to be sent again, in the order of the log. */
    List<Sent> due(Instant now) {
        return events.values().stream()
                .filter(sent -> !sent.due.isAfter(now))
                .sorted(Comparator.comparingLong(sent -> sent.seq))
                .limit(cautious ? 1 : MOST)
                .toList();
    }

    /** The relay hung up. Returns the event that is set aside, because it was alone on the wire too often. */
    Optional<Sent> dropped() {
        List<Sent> suspects =
                events.values().stream().filter(sent -> sent.onTheWire).toList();
        events.values().forEach(this::again);
        cautious = !events.isEmpty();
        if (suspects.size() != 1 || ++suspects.getFirst().drops < MOST_DROPS) {
            return Optional.empty();
        }
        done(suspects.getFirst());
        return Optional.of(suspects.getFirst());
    }

    /** The place in the log up to which everything is answered. */
    long answeredUpTo(long readUpTo) {
        return events.values().stream().mapToLong(sent -> sent.seq - 1).min().orElse(readUpTo);
    }
}
