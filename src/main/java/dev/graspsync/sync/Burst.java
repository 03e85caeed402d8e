package dev.graspsync.sync;

import java.time.Duration;

/**
 * Tells whether many events came in one go and no more are coming, as in a first sync: whoever waits for them then waits
 * for nothing. Events that come singly are no burst, so they are still gathered.
 */
final class Burst {

    /** For so long nothing may come between two events of a burst. */
    static final Duration QUIET = Duration.ofMillis(200);

    /** As many as fill a filter, so that a batch that leaves early costs no more requests than a full one does. */
    static final int LEAST = 100;

    private int events;
    private int eventsBefore;

    void add() {
        events++;
    }

    /** To be asked once in each {@link #QUIET}; a burst is over once. */
    boolean isOver() {
        boolean quiet = events == eventsBefore;
        boolean over = quiet && events >= LEAST;
        if (quiet) {
            events = 0;
        }
        eventsBefore = events;
        return over;
    }
}
