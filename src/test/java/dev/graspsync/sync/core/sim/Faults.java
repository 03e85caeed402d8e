package dev.graspsync.sync.core.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** When a relay suffers from what. */
record Faults(List<Window> windows) {

    static final Faults NONE = new Faults(List.of());

    record Window(Fault fault, Instant from, Instant to) {

        boolean holds(Instant now) {
            return !now.isBefore(from) && now.isBefore(to);
        }
    }

    Faults {
        windows = List.copyOf(windows);
    }

    static Faults draw(Chance chance, Instant from, Instant to) {
        List<Window> windows = new ArrayList<>();
        int count = chance.between(0, 12);
        for (int i = 0; i < count; i++) {
            Instant start = chance.between(from, to);
            Instant end = start.plus(length(chance));
            windows.add(new Window(chance.one(Fault.values()), start, end.isBefore(to) ? end : to));
        }
        return new Faults(windows);
    }

    private static Duration length(Chance chance) {
        return switch (chance.between(0, 3)) {
            case 0 -> chance.between(Duration.ofSeconds(5), Duration.ofMinutes(14));
            case 1 -> chance.between(Duration.ofMinutes(10), Duration.ofHours(6));
            case 2 -> chance.between(Duration.ofHours(6), Duration.ofDays(2));
            default -> chance.between(Duration.ofDays(1), Duration.ofDays(5));
        };
    }

    /** For relays that never behave. */
    static Faults forEver(Chance chance, Instant from, Instant to) {
        Fault worst = chance.one(
                Fault.UNREACHABLE,
                Fault.ACCEPT_THEN_DROP,
                Fault.SWALLOWS,
                Fault.NO_EOSE,
                Fault.EARLY_EOSE,
                Fault.DRIPS,
                Fault.RATE_LIMITED,
                Fault.ERRORS,
                Fault.BLOCKED,
                Fault.AUTH_WALL,
                Fault.SLOW,
                Fault.FLOOD,
                Fault.NEGENTROPY_CUT_OFF,
                Fault.NEGENTROPY_LIES,
                Fault.NEGENTROPY_GARBAGE);
        return new Faults(List.of(new Window(worst, from, to)));
    }

    boolean has(Fault fault, Instant now) {
        for (Window window : windows) {
            if (window.fault == fault && window.holds(now)) {
                return true;
            }
        }
        return false;
    }

    Set<Fault> at(Instant now) {
        Set<Fault> found = EnumSet.noneOf(Fault.class);
        windows.stream().filter(window -> window.holds(now)).forEach(window -> found.add(window.fault));
        return found;
    }
}
