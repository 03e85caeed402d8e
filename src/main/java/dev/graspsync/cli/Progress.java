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
    /** What wraps cannot be drawn over; one column is left for the cursor. */
    private static final int WIDTH = 79;

    private static final int BAR = 24;
    private static final int LEAST_BAR = 8;

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
        String text = (share >= 0 ? (int) (100 * Math.min(1, share)) + " % " : "")
                + String.format(Locale.ROOT, "%,d events, %,.0f/s", count, count / seconds)
                + (details.isEmpty() ? "" : ", " + details);
        if (!terminal) {
            out.println(what + " " + text);
            return;
        }
        StringBuilder line = new StringBuilder(what).append(' ');
        int bar = Math.min(BAR, WIDTH - line.length() - text.length() - "[] ".length());
        if (share >= 0 && bar >= LEAST_BAR) {
            int full = (int) Math.round(Math.min(1, share) * bar);
            line.append('[').repeat('#', full).repeat('.', bar - full).append("] ");
        }
        line.append(text).setLength(Math.min(line.length(), WIDTH));
        int length = line.length();
        line.repeat(' ', Math.max(0, drawn - length));
        drawn = length;
        out.print("\r" + line);
        out.flush();
    }
}
