package dev.graspsync.sync;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rule 26: what the connections hold of messages that have not come whole. Each may hold one message, but hundreds of
 * relays that each send half of a large one, and then wait, must not fill the memory. Where they hold too much together,
 * the one that has let the others wait longest for the rest of its message is ended. May be used from any thread.
 */
final class UnfinishedBytes {

    /** So much each may hold without being counted: usual messages pass whatever others do. */
    static final int FREE = 16 << 10;

    private final long most;
    private final AtomicLong held = new AtomicLong();
    private final Set<Share> holders = ConcurrentHashMap.newKeySet();

    UnfinishedBytes(long most) {
        this.most = most;
    }

    /** @param end called once, on any thread, with the reason, where this share is what there is no room for */
    Share open(End end) {
        return new Share(end);
    }

    /** Ends a connection. */
    interface End {
        void because(String why);
    }

    /** What one connection holds. Used on its event loop, but for its end. */
    final class Share {

        private final End end;
        private long counted;
        private boolean gone;
        private volatile long since;
        private volatile boolean paused;

        private Share(End end) {
            this.end = end;
        }

        /** A message has come whole: what is held from now on is of another. */
        void finished() {
            since = System.nanoTime();
        }

        /** While it is not read it is not the relay that keeps the message from coming whole. */
        void paused(boolean now) {
            paused = now;
            since = System.nanoTime();
        }

        void hold(long bytes) {
            long more = count(bytes <= FREE ? 0 : bytes);
            if (more > 0 && held.addAndGet(more) > most) {
                makeRoom();
            } else if (more < 0) {
                held.addAndGet(more);
            }
        }

        private synchronized long count(long now) {
            if (gone || now == counted) {
                return 0;
            }
            if (counted == 0) {
                holders.add(this);
            } else if (now == 0) {
                holders.remove(this);
            }
            long more = now - counted;
            counted = now;
            return more;
        }

        /** What it holds is given back with its connection, and no longer counts. */
        private synchronized long leave() {
            gone = true;
            holders.remove(this);
            long given = counted;
            counted = 0;
            return given;
        }
    }

    private void makeRoom() {
        holders.stream()
                .min(Comparator.comparing((Share share) -> share.paused).thenComparingLong(share -> -age(share)))
                .ifPresent(oldest -> {
                    held.addAndGet(-oldest.leave());
                    oldest.end.because(
                            "a message that does not come to its end, while relays hold " + most + " bytes of such");
                });
    }

    private static long age(Share share) {
        return System.nanoTime() - share.since;
    }

    long held() {
        return held.get();
    }
}
