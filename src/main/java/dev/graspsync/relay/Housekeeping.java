package dev.graspsync.relay;

import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Removes what has expired (NIP-40) and compacts the store's file, now and then, on a thread of its own and in pieces:
 * between two of them the ingest has its turn.
 */
final class Housekeeping implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Housekeeping.class);
    private static final int EXPIRED_AT_ONCE = 500;
    /** A round ends even if there is more to compact: under constant writing there always is. */
    private static final int PIECES = 200;

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final Duration PIECE = Duration.ofSeconds(2);

    private final EventStore store;
    private final InstantSource clock;
    private final Duration every;
    private final Runnable more;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private Instant silentUntil = Instant.MIN;

    /** @param more what else is to be done now and then */
    Housekeeping(EventStore store, InstantSource clock, Duration every, Runnable more) {
        this.store = store;
        this.clock = clock;
        this.every = every;
        this.more = more;
        this.thread = Thread.ofPlatform().daemon().name("housekeeping").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closing.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    removeExpired();
                    compact();
                    more.run();
                } catch (StoreFailure failure) {
                    // Who writes events hears and says more about it.
                    LOG.warnf("Housekeeping was put off: %s", failure.getMessage());
                } catch (RuntimeException | Error failure) {
                    // Without housekeeping the file grows and what has expired stays: the thread must not end.
                    tellOncePerMinute(failure);
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void tellOncePerMinute(Throwable failure) {
        Instant now = clock.instant();
        if (!now.isBefore(silentUntil)) {
            silentUntil = now.plus(SILENCE);
            LOG.error("Housekeeping failed and goes on: please report this", failure);
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void removeExpired() {
        Instant start = clock.instant();
        Progress progress = new Progress("events removed because they had expired", start);
        int removed;
        do {
            removed = store.removeExpired(start.getEpochSecond(), EXPIRED_AT_ONCE);
            progress.add(removed);
        } while (removed == EXPIRED_AT_ONCE && !isClosing());
        progress.end();
    }

    private void compact() {
        Progress progress = new Progress("pieces of the file compacted", clock.instant());
        for (int i = 0; i < PIECES && !isClosing() && store.maintain(); i++) {
            progress.add(1);
        }
        progress.end();
    }

    @Override
    public void close() {
        close(new StopDeadline());
    }

    /** A piece of work is ended, but none is begun. */
    void close(StopDeadline deadline) {
        closing.countDown();
        if (!deadline.join(thread, PIECE)) {
            LOG.warn("The store is closed in the middle of housekeeping");
        }
    }

    /** Long work tells how far it is, and that it is done; short work says so to whoever debugs. */
    private final class Progress {

        private final String what;
        private final Instant start;
        private Instant told;
        private long done;

        Progress(String what, Instant start) {
            this.what = what;
            this.start = start;
            this.told = start;
        }

        void add(int more) {
            done += more;
            Instant now = clock.instant();
            if (Duration.between(told, now).compareTo(LONG) >= 0) {
                told = now;
                LOG.infof("%d %s so far", done, what);
            }
        }

        void end() {
            Duration taken = Duration.between(start, clock.instant());
            if (taken.compareTo(LONG) >= 0) {
                LOG.infof("%d %s, in %d s", done, what, taken.toSeconds());
            } else if (done > 0) {
                LOG.debugf("%d %s", done, what);
            }
        }
    }
}
