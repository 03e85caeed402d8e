package dev.graspsync.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * How far a long piece of work is, on standard error: one line that is drawn over again on a terminal, and a line every
 * few seconds elsewhere.
 */
final class Progress {

    private static final Duration REDRAWN = Duration.ofMillis(200);
    private static final Duration LINES = Duration.ofSeconds(5);
    private static final int BAR = 24;

    private final PrintStream out;
    private final boolean terminal;
    private final String what;
    private final long start = System.nanoTime();
    private long next = start;
    private int drawn;

    Progress(String what) {
        this(what, System.err, isTerminal());
    }

    Progress(String what, PrintStream out, boolean terminal) {
        this.what = what;
        this.out = out;
        this.terminal = terminal;
    }

    /** Whether standard error is one; a JVM tells it of standard output only. */
    private static boolean isTerminal() {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return (device.startsWith("/dev/pts/") || device.startsWith("/dev/tty"))
                    && !"dumb".equals(System.getenv("TERM"));
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    /**
     * Shows how far it is, if it is time to.
     *
     * @param share of the work that is done, 0 to 1; negative where it is not known
     */
    void at(double share, long count, String details) {
        long now = System.nanoTime();
        if (now >= next) {
            next = now + (terminal ? REDRAWN : LINES).toNanos();
            draw(share, count, details);
        }
    }

    /** The last word, which stays. */
    void end(double share, long count, String details) {
        draw(share, count, details);
        if (terminal) {
            out.println();
        }
    }

    private void draw(double share, long count, String details) {
        double seconds = Math.max(1e-3, (System.nanoTime() - start) / 1e9);
        StringBuilder line = new StringBuilder(what).append(' ');
        if (terminal && share >= 0) {
            int full = (int) Math.round(Math.min(1, share) * BAR);
            line.append('[').repeat('#', full).repeat('.', BAR - full).append("] ");
        }
        if (share >= 0) {
            line.append((int) (100 * Math.min(1, share))).append(" % ");
        }
        line.append(String.format(Locale.ROOT, "%,d events, %,.0f/s", count, count / seconds));
        if (!details.isEmpty()) {
            line.append(", ").append(details);
        }
        if (!terminal) {
            out.println(line);
            return;
        }
        int length = line.length();
        line.repeat(' ', Math.max(0, drawn - length));
        drawn = length;
        out.print("\r" + line);
        out.flush();
    }
}
