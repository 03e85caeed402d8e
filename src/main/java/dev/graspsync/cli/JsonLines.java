package dev.graspsync.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Lines of a stream, counted; one that is longer than it may be is skipped, not kept in memory. */
final class JsonLines {

    private static final int READ = 1 << 16;

    private final InputStream in;
    private final int longest;
    private final byte[] read = new byte[READ];
    private int from;
    private int to;
    private byte[] line = new byte[READ];
    private int length;
    private boolean tooLong;
    private long number;
    private long bytes;

    JsonLines(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
    }

    /** Goes to the next line; false at the end. */
    boolean next() throws IOException {
        length = 0;
        tooLong = false;
        boolean any = false;
        while (fill()) {
            any = true;
            int end = from;
            while (end < to && read[end] != '\n') {
                end++;
            }
            append(end);
            boolean whole = end < to;
            bytes += end - from + (whole ? 1 : 0);
            from = whole ? end + 1 : end;
            if (whole) {
                break;
            }
        }
        number += any ? 1 : 0;
        return any;
    }

    private boolean fill() throws IOException {
        if (from < to) {
            return true;
        }
        from = 0;
        to = Math.max(0, in.read(read));
        return to > 0;
    }

    private void append(int end) {
        int more = end - from;
        if (tooLong || length + more > longest) {
            tooLong = true;
            return;
        }
        if (length + more > line.length) {
            line = Arrays.copyOf(line, Math.max(length + more, 2 * line.length));
        }
        System.arraycopy(read, from, line, length, more);
        length += more;
    }

    /** From 1. */
    long number() {
        return number;
    }

    /** Read so far. */
    long bytes() {
        return bytes;
    }

    boolean isTooLong() {
        return tooLong;
    }

    /** The line's bytes, without white space at its ends. */
    byte[] text() {
        int begin = 0;
        int end = length;
        while (begin < end && line[begin] <= ' ' && line[begin] >= 0) {
            begin++;
        }
        while (end > begin && line[end - 1] <= ' ' && line[end - 1] >= 0) {
            end--;
        }
        return Arrays.copyOfRange(line, begin, end);
    }
}
