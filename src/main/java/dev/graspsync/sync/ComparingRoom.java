package dev.graspsync.sync;

import dev.graspsync.relay.HeapShare;
import java.util.concurrent.atomic.AtomicLong;

/** How many events our side of a comparison may have, and of all that are under way together. Used by any thread. */
final class ComparingRoom {

    private static final int MOST_IN_ONE = 1_000_000;
    private static final long MOST_IN_ALL = 2_000_000;
    /** Some 42 in a set, and more for a moment while it is read. */
    private static final long BYTES_OF_ONE = 48;

    private static final int PART_OF_HEAP = 6;

    private final int mostInOne;
    private final long mostInAll;
    private final AtomicLong taken = new AtomicLong();

    ComparingRoom(int mostInOne, long mostInAll) {
        this.mostInOne = mostInOne;
        this.mostInAll = mostInAll;
    }

    static ComparingRoom ofHeap() {
        long all = HeapShare.of(PART_OF_HEAP, MOST_IN_ALL * BYTES_OF_ONE) / BYTES_OF_ONE;
        return new ComparingRoom((int) Math.min(MOST_IN_ONE, all / 2), all);
    }

    /** Another one, of a quarter of the size. */
    ComparingRoom quarter() {
        return new ComparingRoom(mostInOne / 4, mostInAll / 4);
    }

    int mostInOne() {
        return mostInOne;
    }

    boolean take(long places) {
        if (taken.addAndGet(places) <= mostInAll) {
            return true;
        }
        giveBack(places);
        return false;
    }

    /** As many of these as there are. */
    long takeUpTo(long places) {
        long before = taken.getAndUpdate(now -> now + fitting(now, places));
        return fitting(before, places);
    }

    private long fitting(long now, long places) {
        return Math.clamp(mostInAll - now, 0, places);
    }

    void giveBack(long places) {
        taken.addAndGet(-places);
    }

    long taken() {
        return taken.get();
    }
}
