package dev.graspsync.sync;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was published and waits for its OK. After a drop it is sent one event at a time: who makes the relay hang up is
 * found, and does not hold up the others. What is not taken again and again is {@link #hopeless}: whoever sends takes it
 * out, because everything else waits for its place.
 */
final class Unanswered {

    private static final int MOST = 64;
    private static final long MOST_BYTES = 1 << 20;
    /** Without an OK, or with an error, so often. */
    private static final int MOST_FAILURES = 5;
    /** An event at which the relay hung up that often, alone on the wire. */
    private static final int MOST_DROPS = 3;

    /** How long an OK may take, and how long to wait after an error. */
    static final Duration ANSWER = Duration.ofSeconds(30);

    /** An event and its place in the log. */
    static final class Sent {

        final long seq;
        final Event event;
        private final int bytes;
        private int failures;
        private int drops;
        private String why = "";
        private boolean onTheWire;
        private Instant due = Instant.MIN;

        Sent(long seq, Event event, int bytes) {
            this.seq = seq;
            this.event = event;
            this.bytes = bytes;
        }

        private void await(Instant due) {
            onTheWire = false;
            this.due = due;
        }

        private void fail(String reason) {
            failures++;
            why = reason;
        }

        /** What happened to it last. */
        String why() {
            return why;
        }

        private int troubles() {
            return failures + drops;
        }
    }

    private final Map<EventId, Sent> events = new LinkedHashMap<>();
    private long bytes;
    private boolean cautious;

    /** How many more may be sent. */
    int room() {
        return cautious || bytes >= MOST_BYTES ? 0 : MOST - events.size();
    }

    /** Whether one is sent at a time. */
    boolean isCautious() {
        return cautious;
    }

    void sent(Sent sent, Instant now) {
        if (events.put(sent.event.id(), sent) == null) {
            bytes += sent.bytes;
        }
        sent.await(now.plus(ANSWER));
        sent.onTheWire = true;
    }

    @Nullable
    Sent get(EventId id) {
        return events.get(id);
    }

    void done(Sent sent) {
        if (events.remove(sent.event.id()) != null) {
            bytes -= sent.bytes;
        }
        cautious &= !events.isEmpty();
    }

    /** To be sent again as soon as anything is. */
    void again(Sent sent) {
        sent.await(Instant.MIN);
    }

    /** The relay could not take it: to be sent again after a while. */
    void failed(Sent sent, Instant now, String why) {
        sent.fail(why);
        sent.await(now.plus(ANSWER));
    }

    /** To be asked while the relay may answer: what has waited too long for its OK is sent again. */
    void expire(Instant now) {
        for (Sent sent : events.values()) {
            if (sent.onTheWire && !sent.due.isAfter(now)) {
                sent.fail("no OK came");
                again(sent);
            }
        }
    }

    /** What is to be sent again: what never failed first, and then in the order of the log. */
    List<Sent> due(Instant now) {
        if (cautious && events.values().stream().anyMatch(sent -> sent.onTheWire)) {
            return List.of();
        }
        return events.values().stream()
                .filter(sent -> !sent.onTheWire && !sent.due.isAfter(now))
                .sorted(Comparator.comparingInt(Sent::troubles).thenComparingLong(sent -> sent.seq))
                .limit(cautious ? 1 : MOST)
                .toList();
    }

    /** What was not taken so often that the others should no longer wait for it. */
    List<Sent> hopeless() {
        return events.values().stream()
                .filter(sent -> sent.failures >= MOST_FAILURES || sent.drops >= MOST_DROPS)
                .toList();
    }

    /** The relay hung up. What was alone on the wire is suspected. */
    void dropped() {
        List<Sent> suspects =
                events.values().stream().filter(sent -> sent.onTheWire).toList();
        sendAllAgain();
        cautious = !events.isEmpty();
        if (suspects.size() == 1) {
            suspects.getFirst().drops++;
            suspects.getFirst().why = "the relay hangs up at it";
        }
    }

    void sendAllAgain() {
        events.values().forEach(this::again);
    }

    /** The place in the log up to which everything is answered. */
    long answeredUpTo(long readUpTo) {
        return events.values().stream().mapToLong(sent -> sent.seq - 1).min().orElse(readUpTo);
    }
}
