package dev.graspsync.store.h2;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The runs as they were after a commit. Readers hold a view while they read; the blocks of runs that a merge replaced
 * are removed only when no view that has them is held any more.
 */
final class IndexView {

    private final List<Run> runs;
    private final long lastSeq;
    /** One for being the newest view, and one for each reader; at 0 nobody can come back to it. */
    private final AtomicInteger holders = new AtomicInteger(1);

    IndexView(List<Run> runs, long lastSeq) {
        this.runs = List.copyOf(runs);
        this.lastSeq = lastSeq;
    }

    List<Run> runs() {
        return runs;
    }

    long lastSeq() {
        return lastSeq;
    }

    boolean tryHold() {
        int now = holders.get();
        while (now > 0) {
            if (holders.compareAndSet(now, now + 1)) {
                return true;
            }
            now = holders.get();
        }
        return false;
    }

    void release() {
        holders.decrementAndGet();
    }

    boolean isUnused() {
        return holders.get() == 0;
    }
}
