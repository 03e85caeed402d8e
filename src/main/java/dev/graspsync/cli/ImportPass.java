package dev.graspsync.cli;

import dev.graspsync.nostr.Event;
import dev.graspsync.relay.EventIngest;
import dev.graspsync.relay.IngestResult;
import dev.graspsync.store.Provenance;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Offers lines to the ingest, as fast as it takes them, and waits for what became of each. */
final class ImportPass {

    private static final Duration AGAIN = Duration.ofMillis(10);
    private static final Duration ROOM = Duration.ofMinutes(1);

    private final EventIngest ingest;
    private final ImportTally tally;
    private final @Nullable Spool later;
    /** One party for the pass and one for each event that is under way. */
    private final Phaser underWay = new Phaser(1);

    private final Semaphore room = new Semaphore(0);
    private volatile @Nullable String failure;

    /** @param later where to put what may become acceptable by what follows it; without it, that is refused */
    ImportPass(EventIngest ingest, ImportTally tally, @Nullable Spool later) {
        this.ingest = ingest;
        this.tally = tally;
        this.later = later;
    }

    void offer(long number, byte[] json) throws InterruptedException {
        switch (EventLine.of(json)) {
            case EventLine.Malformed(String why) -> tally.bad(number, why);
            case EventLine.Read(Event event) -> offer(number, json, event);
        }
    }

    private void offer(long number, byte[] json, Event event) throws InterruptedException {
        room.drainPermits();
        while (true) {
            stopIfTheStoreFails();
            underWay.register();
            // Whoever imports has the right to what is its author's only to publish (NIP-70).
            EventIngest.Entry entry = ingest.offer(
                    event,
                    Provenance.DIRECT,
                    Set.of(event.pubkey()),
                    result -> {
                        settled(number, json, result);
                        underWay.arriveAndDeregister();
                    },
                    room::release);
            switch (entry) {
                case TAKEN -> {
                    return;
                }
                case TAKEN_AND_FULL -> {
                    if (!room.tryAcquire(ROOM.toSeconds(), TimeUnit.SECONDS)) {
                        throw new IllegalStateException("the store has taken nothing for " + ROOM.toSeconds() + " s");
                    }
                    return;
                }
                case REFUSED -> {
                    underWay.arriveAndDeregister();
                    Thread.sleep(AGAIN);
                }
            }
        }
    }

    private void settled(long number, byte[] json, IngestResult result) {
        String message = result.message();
        if (result.accepted()) {
            tally.countAccepted();
        } else if (message.startsWith("blocked:") && later != null) {
            later.add(number, json);
        } else if (message.startsWith("invalid: the ")) {
            tally.bad(number, message);
        } else {
            tally.refused(message);
            if (result.isFailure()) {
                failure = message;
            }
        }
    }

    /** A full disk does not get better by offering it the rest. */
    private void stopIfTheStoreFails() {
        String message = failure;
        if (message != null) {
            throw new IllegalStateException("the store takes no more (" + message + "): is the disk full?");
        }
    }

    /** Until all that was offered is stored or refused. */
    void await() {
        underWay.arriveAndAwaitAdvance();
        stopIfTheStoreFails();
    }
}
