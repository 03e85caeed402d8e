package dev.graspsync.sync;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Lets names of one domain be looked up a few at a time: who runs a domain with a slow name server keeps its own names
 * waiting, and nobody else's. Safe for several threads.
 */
final class LookupTurns {

    private static final class Domain {
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int running;
    }

    private final int atOnce;
    private final Map<String, Domain> domains = new HashMap<>();

    LookupTurns(int atOnce) {
        this.atOnce = atOnce;
    }

    /** The last two labels of a name; an address is its own domain. */
    static String domainOf(String host) {
        boolean address = host.contains(":") || host.matches("[0-9.]+");
        int last = host.lastIndexOf('.');
        int before = last < 0 ? -1 : host.lastIndexOf('.', last - 1);
        return address ? host : host.substring(before + 1);
    }

    /** Runs the task now, or when enough of the domain's others have {@link #ended}. */
    void run(String domain, Runnable lookup) {
        synchronized (this) {
            Domain own = domains.computeIfAbsent(domain, none -> new Domain());
            if (own.running >= atOnce) {
                own.waiting.add(lookup);
                return;
            }
            own.running++;
        }
        lookup.run();
    }

    void ended(String domain) {
        Runnable next;
        synchronized (this) {
            Domain own = domains.get(domain);
            if (own == null) {
                return;
            }
            next = own.waiting.poll();
            if (next == null && --own.running == 0) {
                domains.remove(domain);
            }
        }
        if (next != null) {
            next.run();
        }
    }
}
