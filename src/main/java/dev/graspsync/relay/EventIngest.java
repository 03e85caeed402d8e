package dev.graspsync.relay;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventVerifier;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoreFailure;
import dev.graspsync.wire.EventJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * The one way in, for clients' and remote relays' events: known? ▶ id ▶ signature ▶ policy ▶ store. Ids and signatures
 * are checked on as many threads as there are cores; one thread writes. Both queues are bounded: who offers too much
 * hears so at once and stops reading its socket.
 */
public final class EventIngest implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(EventIngest.class);
    private static final Duration IDLE = Duration.ofMillis(100);
    private static final int QUEUE = 8_192;
    private static final int VERIFIED_AT_ONCE = 64;
    private static final int WRITTEN_AT_ONCE = 5_000;

    private final EventStore store;
    private final EventVerifier verifier;
    private final EventWriter writer;
    private final Admission admission;
    private final Runnable committed;
    private final BlockingQueue<Incoming> arrived = new ArrayBlockingQueue<>(QUEUE);
    private final BlockingQueue<Incoming.Verified> verified = new ArrayBlockingQueue<>(QUEUE);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /** @param committed called after each commit, on the writing thread */
    EventIngest(EventStore store, EventVerifier verifier, EventWriter writer, Admission admission, Runnable committed) {
        this.store = store;
        this.verifier = verifier;
        this.writer = writer;
        this.admission = admission;
        this.committed = committed;
    }

    void start() {
        int cores = Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < cores; i++) {
            threads.add(Thread.ofPlatform().name("ingest-verify-" + i).start(this::verifyLoop));
        }
        threads.add(Thread.ofPlatform().name("ingest-write").start(this::writeLoop));
    }

    /**
     * Takes an event, or says that there is no room for it now.
     *
     * @param authenticated who the sender has shown to be (NIP-42); nobody for events of other relays
     */
    boolean offer(Event event, Set<PublicKey> authenticated, Consumer<IngestResult> done) {
        Optional<String> refusal = admission.refusal(event, authenticated);
        if (refusal.isPresent()) {
            done.accept(IngestResult.refused(refusal.get()));
            return true;
        }
        return !closed && arrived.offer(new Incoming(event, done));
    }

    private void verifyLoop() {
        List<Incoming> batch = new ArrayList<>(VERIFIED_AT_ONCE);
        try {
            while (take(arrived, batch, VERIFIED_AT_ONCE)) {
                for (Incoming incoming : batch) {
                    verify(incoming);
                }
                batch.clear();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for at least one, or returns false when it is time to stop. Interrupts would close the store's file. */
    private <T> boolean take(BlockingQueue<T> from, List<T> to, int most) throws InterruptedException {
        while (!closed) {
            T first = from.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
            if (first != null) {
                to.add(first);
                from.drainTo(to, most - 1);
                return true;
            }
        }
        return false;
    }

    private void verify(Incoming incoming) throws InterruptedException {
        Event event = incoming.event();
        if (store.find(event.id()).isPresent()) {
            incoming.done().accept(IngestResult.KNOWN);
            return;
        }
        Optional<EncodedEvent> encoded = EventJson.encodeIfIdMatches(event);
        if (encoded.isEmpty()) {
            incoming.done().accept(IngestResult.refused("invalid: the id is not the hash of the event"));
        } else if (!verifier.verify(event)) {
            incoming.done().accept(IngestResult.refused("invalid: the signature does not verify"));
        } else {
            verified.put(new Incoming.Verified(encoded.get(), incoming.done()));
        }
    }

    private void writeLoop() {
        List<Incoming.Verified> batch = new ArrayList<>();
        try {
            while (take(verified, batch, WRITTEN_AT_ONCE)) {
                write(batch);
                batch.clear();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(List<Incoming.Verified> batch) {
        try {
            writer.write(batch);
            committed.run();
        } catch (StoreFailure failure) {
            LOG.errorf("%d events were refused: %s", batch.size(), failure.getMessage());
        }
    }

    /** Ends the threads; what was not acknowledged by then is not stored. */
    @Override
    public void close() {
        closed = true;
        for (Thread thread : threads) {
            try {
                thread.join(Duration.ofSeconds(5));
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
