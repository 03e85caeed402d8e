package dev.graspsync.observe.api;

import java.util.ArrayDeque;
import java.util.Deque;

/** How fast a counter that is looked at now and then has grown lately. Any thread. */
final class Pace {

    private record Sample(long nanos, long value) {}

    private final int most;
    private final Deque<Sample> samples = new ArrayDeque<>();

    /** @param samples over how many the pace is taken */
    Pace(int samples) {
        this.most = samples + 1;
    }

    synchronized void sample(long nanos, long value) {
        // What began anew has no pace yet.
        if (!samples.isEmpty() && value < samples.getLast().value()) {
            samples.clear();
        }
        samples.addLast(new Sample(nanos, value));
        if (samples.size() > most) {
            samples.removeFirst();
        }
    }

    synchronized double perSecond() {
        if (samples.size() < 2) {
            return 0;
        }
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        double grown = last.value() - first.value();
        double seconds = (last.nanos() - first.nanos()) / 1e9;
        return seconds <= 0 ? 0 : Math.round(grown / seconds * 10) / 10.0;
    }
}
