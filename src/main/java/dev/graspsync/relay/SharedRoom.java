package dev.graspsync.relay;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of something all connections together may hold, of which one connection may hold its share at the most, so
 * that nobody takes it all. Any thread.
 */
final class SharedRoom {

    private final long most;
    private final long shareOfOne;
    private final AtomicLong taken = new AtomicLong();

    /** A quarter of the room for one connection. */
    SharedRoom(long most) {
        this(most, most / 4);
    }

    SharedRoom(long most, long shareOfOne) {
        this.most = most;
        this.shareOfOne = shareOfOne;
    }

    /** What one connection holds. */
    Share share() {
        return new Share();
    }

    long taken() {
        return taken.get();
    }

    private static boolean take(AtomicLong from, long amount, long most) {
        if (from.addAndGet(amount) <= most) {
            return true;
        }
        from.addAndGet(-amount);
        return false;
    }

    /** One connection's part of the room. */
    final class Share {

        private final AtomicLong own = new AtomicLong();

        private Share() {}

        /** Whether there was room for that much; it is to be given back. */
        boolean take(long amount) {
            if (!SharedRoom.take(own, amount, shareOfOne)) {
                return false;
            }
            boolean room = SharedRoom.take(taken, amount, most);
            if (!room) {
                own.addAndGet(-amount);
            }
            return room;
        }

        void giveBack(long amount) {
            own.addAndGet(-amount);
            taken.addAndGet(-amount);
        }
    }
}
