package dev.graspsync.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one connection may cost beyond what was asked of it (rule 26): events that match no filter, which are only read,
 * and forged ones, each of which is checked in vain. Both happen to honest relays now and then, so each has a credit that
 * comes back slowly; a flood uses it up and is the end.
 */
final class FloodCredit {

    /** A credit that comes back with time. */
    private static final class Bucket {

        private final int most;
        private final int perSecond;
        private long left;
        private Instant refilledAt;

        Bucket(int most, int perSecond, Instant now) {
            this.most = most;
            this.perSecond = perSecond;
            this.left = most;
            this.refilledAt = now;
        }

        /** Whether it is used up now. */
        boolean use(Instant now) {
            long seconds = Duration.between(refilledAt, now).toSeconds();
            if (seconds > 0) {
                left = Math.min(most, left + seconds * perSecond);
                refilledAt = refilledAt.plusSeconds(seconds);
            }
            left--;
            return left <= 0;
        }
    }

    static final int UNASKED = 5_000;
    static final int FORGED = 1_000;
    /** What was closed a moment ago is still on its way, or the relay has not read that it is closed. */
    private static final Duration ON_ITS_WAY = Duration.ofMinutes(1);

    private static final int MOST_CLOSED = 1_024;

    private final Bucket unasked;
    private final Bucket forged;
    private final Map<String, Instant> closed = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
            return size() > MOST_CLOSED;
        }
    };

    FloodCredit(Instant now) {
        this.unasked = new Bucket(UNASKED, 10, now);
        this.forged = new Bucket(FORGED, 1, now);
    }

    /** Nothing is to come for this subscription any more. */
    void closed(String subscription, Instant now) {
        closed.remove(subscription);
        closed.put(subscription, now);
    }

    /** Whether an event for a subscription that is not open may have been sent when it was. */
    boolean isOnItsWay(String subscription, Instant now) {
        Instant at = closed.get(subscription);
        return at != null && at.plus(ON_ITS_WAY).isAfter(now);
    }

    /** An event came that nobody asked for. Returns why the connection should end, if it should. */
    Optional<String> unasked(Instant now) {
        return unasked.use(now) ? Optional.of("too many events that nobody asked for") : Optional.empty();
    }

    /** An event came whose id or signature is wrong. */
    Optional<String> forged(Instant now) {
        return forged.use(now) ? Optional.of("too many forged events") : Optional.empty();
    }
}
