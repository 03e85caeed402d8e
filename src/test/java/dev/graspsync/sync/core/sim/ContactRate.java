package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.RelayUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * How often a relay may be contacted. Doubling from 5 s, backoff makes about ten attempts in the first hour; whatever
 * rightly starts it anew (a healthy connection that got lost, a restart, an operator) pardons as many again.
 */
final class ContactRate {

    private static final int IN_AN_HOUR = 14;
    private static final Duration HOUR = Duration.ofHours(1);

    private final Map<RelayUrl, Deque<Instant>> contacts = new HashMap<>();
    private final Map<RelayUrl, Deque<Instant>> pardons = new HashMap<>();

    private final Map<RelayUrl, Instant> left = new HashMap<>();

    void pardon(Instant now, RelayUrl relay) {
        recent(pardons, now, relay).add(now);
    }

    /** Who leaves a silent relay may come back soon, but not time and again. */
    void pardonOnceADay(Instant now, RelayUrl relay) {
        Instant last = left.get(relay);
        if (last == null || last.isBefore(now.minus(Duration.ofDays(1)))) {
            left.put(relay, now);
            pardon(now, relay);
        }
    }

    boolean contact(Instant now, RelayUrl relay) {
        Deque<Instant> mine = recent(contacts, now, relay);
        mine.add(now);
        return mine.size() <= IN_AN_HOUR * (1 + recent(pardons, now, relay).size());
    }

    static Deque<Instant> recent(Map<RelayUrl, Deque<Instant>> of, Instant now, RelayUrl relay) {
        Deque<Instant> mine = of.computeIfAbsent(relay, none -> new ArrayDeque<>());
        while (!mine.isEmpty() && mine.getFirst().isBefore(now.minus(HOUR))) {
            mine.removeFirst();
        }
        return mine;
    }
}
