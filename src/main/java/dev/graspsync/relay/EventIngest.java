package dev.graspsync.relay;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventVerifier;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.relay.Refusal.Because;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.StoreFailure;
import dev.graspsync.wire.EventJson;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * The one way in, for clients' and remote relays' events: known? ▶ id ▶ signature ▶ policy ▶ store. Ids and signatures
 * are checked on as many threads as there are cores; one thread writes. What is under way is bounded: who offers too
 * much hears so at once and stops reading its socket.
 */
public final class EventIngest implements AutoCloseable {

    /** What becomes of an event that wants in. */
    public enum Entry {
        /** Taken. */
        TAKEN,
        /** Taken, and the caller is to stop reading until it is called. */
        TAKEN_AND_FULL,
        /** Not taken. */
        REFUSED
    }

    private static final Logger LOG = Logger.getLogger(EventIngest.class);
    /** What the threads have to end in, all together. */
    private static final Duration STOP = Duration.ofSeconds(3);

    private static final Duration IDLE = Duration.ofMillis(100);
    private static final int UNDER_WAY = 4_096;
    private static final long MOST_BYTES_UNDER_WAY = 48L << 20;
    private static final int VERIFIED_AT_ONCE = 64;
    private static final int WRITTEN_AT_ONCE = 5_000;

    private final EventStore store;
    private final EventVerifier verifier;
    private final EventWriter writer;
    private final Admission admission;
    private final Runnable committed;
    private final IngestCounters counters;
    private final IngestTimes times = new IngestTimes();
    private final IngestRoom room = new IngestRoom(UNDER_WAY, HeapShare.of(8, MOST_BYTES_UNDER_WAY));
    /** Never full: the room admits no more than it holds. */
    private final BlockingQueue<Incoming> arrived = new ArrayBlockingQueue<>(2 * UNDER_WAY);

    private long pieces;
    private final VerifiedInOrder inOrder = new VerifiedInOrder();
    private final WriteFailures failures = new WriteFailures(InstantSource.system());
    private final List<Thread> threads = new ArrayList<>();
    private final Heartbeat writing = new Heartbeat();
    private volatile boolean closed;

    /** @param committed called after each commit, on the writing thread */
    EventIngest(EventStore store, EventVerifier verifier, EventWriter writer, Admission admission, Runnable committed) {
        this.store = store;
        this.verifier = verifier;
        this.writer = writer;
        this.counters = writer.counters();
        this.admission = admission;
        this.committed = committed;
    }

    void start() {
        int cores = Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < cores; i++) {
            threads.add(Thread.ofPlatform()
                    .name("ingest-verify-" + i)
                    .priority(Thread.MIN_PRIORITY)
                    .start(this::verifyLoop));
        }
        threads.add(Thread.ofPlatform().name("ingest-write").start(this::writeLoop));
    }

    /**
     * Takes an event, or says that there is no room for it now.
     *
     * @param authenticated who the sender has shown to be (NIP-42); nobody for events of other relays
     * @param done hears, on any thread, what became of an event that was not refused for lack of room
     * @param whenRoom called, on any thread, when one who was asked to stop may go on
     */
    public Entry offer(
            Event event,
            Provenance provenance,
            Set<PublicKey> authenticated,
            Consumer<IngestResult> done,
            Runnable whenRoom) {
        return offer(event, provenance, authenticated, all -> true, done, whenRoom);
    }

    /** @param wanted whether an unknown event is worth checking; asked on a thread that may block */
    public Entry offer(
            Event event,
            Provenance provenance,
            Set<PublicKey> authenticated,
            Predicate<Event> wanted,
            Consumer<IngestResult> done,
            Runnable whenRoom) {
        Optional<String> refusal = admission.refusal(event, authenticated);
        if (refusal.isPresent()) {
            IngestResult refused = refused(event, Because.RULE, provenance, refusal.get());
            counters.settled(refused);
            done.accept(refused);
            return Entry.TAKEN;
        }
        long offered = System.nanoTime();
        long size = Incoming.sizeOf(event);
        Entry entry = closed ? Entry.REFUSED : room.enter(size, whenRoom);
        if (entry != Entry.REFUSED) {
            arrived.add(new Incoming(event, provenance, wanted, result -> {
                room.leave(size);
                counters.settled(result);
                times.settled(offered);
                done.accept(result);
            }));
        }
        return entry;
    }

    /** What relays have and this one does not keep. */
    public UnwantedEvents unwanted() {
        return writer.unwanted();
    }

    /**
     * What a relay sent because a comparison asked for its id, and is not even looked at, whenever it is offered: it is
     * counted as here from now on. That the id is its own is checked, because anybody may claim one.
     */
    public void neverAdmitted(Event event) {
        if (admission.isRefusedForGood(event)
                && EventJson.encodeIfIdMatches(event).isPresent()) {
            unwanted().add(event, Instant.now());
        }
    }

    UnwantedFile unwantedFile(Path folder, String rules) {
        return UnwantedFile.open(folder, rules, store, writer.rejected(), writer.unwanted());
    }

    public IngestCounters counters() {
        return counters;
    }

    public IngestTimes times() {
        return times;
    }

    /** Why events were refused lately. */
    public Refusals refusals() {
        return writer.refusals();
    }

    /** It was not even a case for the policy. */
    private IngestResult refused(Event event, Because because, Provenance from, String message) {
        writer.refusals().add(Refusal.of(event, because, message, from, Instant.now()));
        return IngestResult.refused(message);
    }

    /** How long the writing thread has been busy with one batch. */
    public Duration writerSilence() {
        return writing.silence();
    }

    /** Whether the store refused the last batch: the disk may be full. */
    public boolean isStoreFailing() {
        return failures.isFailing();
    }

    /** Events that are under way to the store. */
    public int underWay() {
        return room.size();
    }

    private void verifyLoop() {
        List<Incoming> piece = new ArrayList<>(VERIFIED_AT_ONCE);
        try {
            while (!closed) {
                long number = takePiece(piece);
                if (number >= 0) {
                    long begun = System.nanoTime();
                    List<Incoming.Verified> verified = new ArrayList<>(piece.size());
                    try {
                        piece.forEach(incoming -> verifyOrRefuse(incoming, verified));
                    } finally {
                        inOrder.put(number, verified);
                        piece.clear();
                        times.verified(begun);
                    }
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** The number of the piece, or -1 where nothing came for a while. Interrupts would close the store's file. */
    private long takePiece(List<Incoming> piece) throws InterruptedException {
        synchronized (arrived) {
            Incoming first = arrived.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
            if (first == null) {
                return -1;
            }
            piece.add(first);
            arrived.drainTo(piece, VERIFIED_AT_ONCE - 1);
            return pieces++;
        }
    }

    private void verifyOrRefuse(Incoming incoming, List<Incoming.Verified> verified) {
        try {
            verify(incoming, verified);
        } catch (RuntimeException | Error failure) {
            // The store cannot be read, say. One event's failure must not end the thread.
            LOG.errorf("An event was refused: %s", failure);
            incoming.done().accept(IngestResult.refused("error: could not look the event up, try again later"));
        }
    }

    private void verify(Incoming incoming, List<Incoming.Verified> verified) {
        Event event = incoming.event();
        // A client that sends what is gone hears why; a relay that has it still is no news.
        boolean known = incoming.from().relay().isPresent()
                ? store.isKnown(event.id())
                : store.find(event.id()).isPresent();
        if (known) {
            incoming.done().accept(IngestResult.KNOWN);
            return;
        }
        if (!incoming.wanted().test(event)) {
            incoming.done().accept(IngestResult.UNWANTED);
            return;
        }
        if (isRejectedAgain(incoming)) {
            writer.refusedAgain(event);
            incoming.done().accept(IngestResult.refused("blocked: refused before, and nothing has changed since"));
            return;
        }
        Optional<EncodedEvent> encoded = EventJson.encodeIfIdMatches(event);
        if (encoded.isEmpty()) {
            incoming.done().accept(refused(event, Because.FORGED, incoming.from(), IngestResult.WRONG_ID));
        } else if (!verifier.verify(event)) {
            incoming.done().accept(refused(event, Because.FORGED, incoming.from(), IngestResult.WRONG_SIGNATURE));
        } else {
            verified.add(new Incoming.Verified(new Incoming.Arrived(encoded.get(), incoming.from()), incoming.done()));
        }
    }

    /** Relays offer the same again and again; a fresh sync looks at everything once more, and clients hear reasons. */
    private boolean isRejectedAgain(Incoming incoming) {
        return incoming.from().relay().isPresent()
                && incoming.from().way() != Provenance.Way.FRESH_SYNC
                && writer.isRejected(incoming.event().id());
    }

    private void writeLoop() {
        try {
            while (!closed) {
                writing.beat();
                List<Incoming.Verified> batch = inOrder.take(WRITTEN_AT_ONCE, IDLE);
                if (!batch.isEmpty()) {
                    write(batch);
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(List<Incoming.Verified> batch) {
        long begun = System.nanoTime();
        try {
            writer.write(batch);
            times.written(begun);
            committed.run();
            failures.succeeded();
        } catch (StoreFailure failure) {
            failures.failed(batch.size(), failure);
        } catch (RuntimeException | Error failure) {
            LOG.errorf(failure, "A batch of %d events failed: please report this", batch.size());
        }
    }

    /** Ends the threads; what was not acknowledged by then is not stored. */
    @Override
    public void close() {
        closed = true;
        long deadline = System.nanoTime() + STOP.toNanos();
        for (Thread thread : threads) {
            try {
                thread.join(Duration.ofNanos(deadline - System.nanoTime()));
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
