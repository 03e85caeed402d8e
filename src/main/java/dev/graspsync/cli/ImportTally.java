package dev.graspsync.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What became of the lines. Results come from several threads. */
final class ImportTally {

    private static final int SHOWN = 20;
    /** Gone by its author's will (NIP-40), wherever else it still lies: nothing is missing without it. */
    private static final String EXPIRED = "invalid: this event has expired";

    private final PrintWriter err;
    private final Map<String, Long> refused = new TreeMap<>();
    private long accepted;
    private long bad;

    ImportTally(PrintWriter err) {
        this.err = err;
    }

    synchronized void countAccepted() {
        accepted++;
    }

    /** The line is no event, or not the event it says it is. */
    synchronized void bad(long number, String why) {
        if (++bad <= SHOWN) {
            err.println("line " + number + ": " + why);
        } else if (bad == SHOWN + 1) {
            err.println("… and more; only the first " + SHOWN + " are shown");
        }
        err.flush();
    }

    /** Counted by the reason without the ids in it. */
    synchronized void refused(String message) {
        int prefix = message.indexOf(':');
        int details = message.indexOf(':', prefix + 1);
        refused.merge(details < 0 ? message : message.substring(0, details), 1L, Long::sum);
    }

    synchronized long accepted() {
        return accepted;
    }

    synchronized boolean isWhole() {
        return bad == 0 && refused.keySet().stream().allMatch(EXPIRED::equals);
    }

    /** @param stored of those accepted, how many were not here before */
    synchronized void print(PrintWriter out, long stored) {
        line(out, stored, "stored");
        line(out, accepted - stored, "known already, or a newer version is here");
        if (bad > 0) {
            line(out, bad, "no valid event");
        }
        refused.forEach((reason, count) -> line(out, count, "refused: " + reason));
        out.flush();
    }

    private static void line(PrintWriter out, long count, String what) {
        out.println(String.format(Locale.ROOT, "%,12d  %s", count, what));
    }
}
