package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Counts the events of one page as they come (rules 16 and 21). Used by one thread at a time. */
public final class Page {

    /** What to do with an event. */
    public enum Found {
        /** It matches no filter that was asked: dropped, and counted against the relay. */
        UNASKED,
        /** An earlier page brought it. */
        SEEN,
        FRESH
    }

    /** A relay that invents events of one second must not fill the memory. */
    private static final int MOST_AT_OLDEST = 20_000;

    private final List<Reading> readings;
    private int received;
    private int fresh;
    private int unasked;
    /** As many as were asked for by id, at most. */
    private final Set<EventId> delivered = new LinkedHashSet<>();

    public Page(PageRequest request) {
        readings = request.cursors().stream().map(Reading::new).toList();
    }

    public Found offer(EventFields event) {
        boolean asked = false;
        boolean isNew = false;
        for (Reading reading : readings) {
            if (reading.cursor.filter().matches(event)) {
                asked = true;
                isNew |= reading.take(event);
                if (reading.cursor.filter().ids().isPresent()) {
                    delivered.add(event.id());
                }
            }
        }
        if (!asked) {
            unasked++;
            return Found.UNASKED;
        }
        received++;
        if (isNew) {
            fresh++;
        }
        return isNew ? Found.FRESH : Found.SEEN;
    }

    public PageResult result() {
        return new PageResult(
                received, fresh, readings.stream().map(Reading::result).toList(), unasked, delivered);
    }

    /** Whether an event was asked for; for live events, which no page counts. */
    public boolean asksFor(EventFields event) {
        return readings.stream().anyMatch(reading -> reading.cursor.filter().matches(event));
    }

    /** Whether it asks by id. */
    public boolean isOfIds() {
        return readings.stream()
                .allMatch(reading -> reading.cursor.filter().ids().isPresent());
    }

    /** How many events came that were asked for. */
    public int received() {
        return received;
    }

    private static final class Reading {

        final PageRequest.Cursor cursor;
        private int received;
        private long oldest = Long.MAX_VALUE;
        private Set<EventId> atOldest = new LinkedHashSet<>();

        Reading(PageRequest.Cursor cursor) {
            this.cursor = cursor;
        }

        /** Whether this filter had not seen the event. */
        boolean take(EventFields event) {
            received++;
            if (event.createdAt() < oldest) {
                oldest = event.createdAt();
                atOldest = new LinkedHashSet<>();
            }
            boolean added =
                    event.createdAt() != oldest || atOldest.size() >= MOST_AT_OLDEST || atOldest.add(event.id());
            return added && !cursor.seen().contains(event.id());
        }

        PageResult.Read result() {
            return new PageResult.Read(received, oldest, atOldest);
        }
    }
}
