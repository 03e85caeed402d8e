package dev.graspsync.sync;

import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.sync.core.SyncInput.Removed;
import dev.graspsync.wire.EventJson;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What is wanted, read from the log of the store instead of from a relay: for a sync that opens no port. */
final class StoreReader implements SelfReader {

    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
    private static final int AT_ONCE = 500;
    private static final long BYTES_AT_ONCE = 8L << 20;
    private static final Set<Integer> KINDS = Set.of(SelfEvents.KINDS);

    private final EventStore store;
    private final InstantSource clock;
    private final SelfEvents meaning;
    private final BiConsumer<SyncInput, Runnable> engine;
    private @Nullable Thread thread;
    private volatile long takenUpTo = -1;
    private volatile boolean stopped;
    private SelfWindow removals = new SelfWindow();

    StoreReader(EventStore store, InstantSource clock, SelfEvents meaning, BiConsumer<SyncInput, Runnable> engine) {
        this.store = store;
        this.clock = clock;
        this.meaning = meaning;
        this.engine = engine;
    }

    @Override
    public void start() {
        thread = Thread.ofPlatform().name("store-reader").daemon().start(this::run);
    }

    @Override
    public void stop() {
        stopped = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    private void run() {
        try {
            tell(new SyncInput.SelfDrainBegan(clock.instant()));
            long next = readFrom(1);
            tell(new SyncInput.SelfDrained(clock.instant()));
            while (!stopped) {
                next = readFrom(next);
                Thread.sleep(LOOK_AGAIN);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells the engine of all there is, and returns where to go on. */
    private long readFrom(long from) throws InterruptedException {
        long next = from;
        while (!stopped) {
            long last = store.lastSeq();
            List<StoredEvent> events = store.tail(next, AT_ONCE, BYTES_AT_ONCE).events();
            SelfWindow window = takeRemovals();
            for (StoredEvent event : events) {
                if (window.isFull()) {
                    tell(window);
                    window = new SelfWindow();
                }
                if (KINDS.contains(event.kind())) {
                    window.add(EventJson.read(event.json()));
                }
            }
            tell(window);
            if (events.isEmpty()) {
                takenUpTo = last;
                return Math.max(next, last + 1);
            }
            next = events.getLast().seq() + 1;
        }
        return next;
    }

    private void tell(SelfWindow window) throws InterruptedException {
        for (SyncInput batch : window.batches(meaning, clock.instant())) {
            tell(batch);
        }
    }

    private void tell(SyncInput input) throws InterruptedException {
        CountDownLatch taken = new CountDownLatch(1);
        engine.accept(input, taken::countDown);
        while (!stopped && !taken.await(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS)) {
            // The engine is busy with what came before.
        }
    }

    /** Up to which event of the log the engine knows what is wanted. */
    long takenUpTo() {
        return takenUpTo;
    }

    @Override
    public boolean isConnected() {
        return takenUpTo >= 0;
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public synchronized void removed(Removed removed) {
        removals.remove(removed);
    }

    private synchronized SelfWindow takeRemovals() {
        SelfWindow taken = removals;
        removals = new SelfWindow();
        return taken;
    }

    /** The log says what is gone. */
    @Override
    public void drainAgainIfDue() {}
}
