package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.sync.core.SyncInput.Removed;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Subscribes to the own relay, the only source of what is wanted (rule 4): read to its end after every connect, because
 * what was synced meanwhile may be old, and once a day; live in between. Hands the engine a batch when a window
 * that began with the first event ends: it does not reset, and ends before its time when it is full or when a burst is
 * over. Lives on one event loop.
 */
final class SelfSubscriber implements SelfReader, KeptConnection.User {

    private static final Logger LOG = Logger.getLogger(SelfSubscriber.class);
    private static final String LIVE = "self-live";
    private static final Duration DRAIN_AGAIN = Duration.ofHours(24);
    /** After somebody had everything removed that they wrote: which root events these were, only reading tells. */
    private static final Duration DRAIN_AFTER_VANISHING = Duration.ofHours(1);
    /** Batches the engine has not seen before the own relay is no longer read. */
    private static final int MOST_UNSEEN = 16;

    private final RelayUrl relay;
    private final KeptConnection connection;
    private final InstantSource clock;
    private final Duration window;
    private final SelfEvents meaning;
    private final BiConsumer<SyncInput, Runnable> engine;

    private @Nullable SelfReading history;
    private int readings;
    private @Nullable Instant drainedAt;
    private SelfWindow collected = new SelfWindow();
    private boolean windowOpen;
    private int windowNumber;
    private final Burst burst = new Burst();
    private int unseen;
    /** Whether somebody had everything removed that they wrote since the own relay was last begun to be read. */
    private boolean vanished;

    SelfSubscriber(
            RelayUrl relay,
            RelayConnector connector,
            Vertx vertx,
            InstantSource clock,
            Duration window,
            SelfEvents meaning,
            BiConsumer<SyncInput, Runnable> engine) {
        this.relay = relay;
        this.connection = new KeptConnection(relay, connector, vertx, clock, this);
        this.clock = clock;
        this.window = window;
        this.meaning = meaning;
        this.engine = engine;
    }

    @Override
    public void start() {
        connection.start();
    }

    @Override
    public void stop() {
        connection.stop();
    }

    @Override
    public boolean isConnected() {
        return connection.isOpen();
    }

    @Override
    public Optional<String> problem() {
        return connection.problem();
    }

    /** The own relay took a repository off without an event that says so. */
    @Override
    public void removed(Removed removed) {
        connection.onLoop(() -> {
            collected.remove(removed);
            flushOrWait();
        });
    }

    /** Once a day the own relay is read from its beginning, and what it no longer shows is gone. */
    @Override
    public void drainAgainIfDue() {
        connection.onLoop(() -> {
            Instant before = drainedAt;
            Duration every = vanished ? DRAIN_AFTER_VANISHING : DRAIN_AGAIN;
            if (history == null && before != null && !before.plus(every).isAfter(clock.instant())) {
                beginHistory();
            }
        });
    }

    // Reading ------------------------------------------------------------------------------------------------------

    private void beginHistory() {
        vanished = false;
        tell(new SyncInput.SelfDrainBegan(clock.instant()));
        SelfReading reading = new SelfReading(++readings);
        history = reading;
        connection.send(reading.req());
    }

    private void pageEnded(SelfReading reading, Hint hint) {
        connection.send(new ClientMessage.Close(reading.subscription()));
        if (reading.goesOn(hint)) {
            connection.send(reading.req());
        } else {
            LOG.debugf("The own relay has been read");
            history = null;
            flush(() -> drained(reading));
        }
    }

    private void drained(SelfReading reading) {
        if (reading.number() != readings) {
            return; // the connection was lost meanwhile, and what the next one shows has not been read yet
        }
        drainedAt = clock.instant();
        if (reading.isWhole()) {
            tell(new SyncInput.SelfDrained(clock.instant()));
        }
    }

    private void take(Event event) {
        collected.add(event);
        burst.add();
        flushOrWait();
    }

    private void flushOrWait() {
        if (collected.isFull()) {
            flush(() -> {});
        } else {
            openWindow();
        }
    }

    private void openWindow() {
        if (!windowOpen) {
            windowOpen = true;
            int number = ++windowNumber;
            connection.after(window, () -> {
                if (isOpen(number)) {
                    flush(() -> {});
                }
            });
            awaitQuiet(number);
        }
    }

    /** A window that a burst filled ends with the burst. */
    private void awaitQuiet(int number) {
        connection.after(Burst.QUIET, () -> {
            if (!isOpen(number)) {
                return;
            }
            if (burst.isOver()) {
                flush(() -> {});
            } else {
                awaitQuiet(number);
            }
        });
    }

    /** Whether it has not ended before its time. */
    private boolean isOpen(int number) {
        return windowOpen && number == windowNumber;
    }

    /** Hands the window over; what its events mean is looked up on a worker, one window after the other. */
    private void flush(Runnable then) {
        windowOpen = false;
        SelfWindow ended = collected;
        collected = new SelfWindow();
        unseen++;
        hold();
        connection.onWorker(() -> ended.batches(meaning, clock.instant())).onComplete(read -> {
            unseen--;
            if (read.failed()) {
                // As if the own relay had not been read to its end: everything is read again.
                LOG.errorf(read.cause(), "What the own relay %s showed cannot be looked up", relay);
                connection.renew("the own store failed");
                return;
            }
            read.result().forEach(this::tell);
            then.run();
            hold();
        });
    }

    private void tell(SyncInput input) {
        unseen++;
        hold();
        engine.accept(
                input,
                () -> connection.onLoop(() -> {
                    unseen--;
                    hold();
                }));
    }

    private void hold() {
        connection.hold(unseen >= MOST_UNSEEN);
    }

    // The connection -----------------------------------------------------------------------------------------------

    @Override
    public void opened() {
        // Rule 9: live first, so that nothing falls between; without since, because what is synced may be old.
        connection.send(new ClientMessage.Req(
                LIVE, List.of(Filter.ALL.withKinds(SelfEvents.KINDS).withLimit(0))));
        beginHistory();
    }

    @Override
    public void lost() {
        history = null;
    }

    @Override
    public void received(RelayMessage message) {
        switch (message) {
            case RelayMessage.Event(String id, Event event) -> onEvent(id, event);
            case RelayMessage.Eose(String id, Hint hint) -> {
                SelfReading reading = history;
                if (reading != null && id.equals(reading.subscription())) {
                    pageEnded(reading, hint);
                }
            }
            case RelayMessage.Closed(String id, String text) -> onClosed(id, text);
            case RelayMessage.Notice(String text) -> LOG.warnf("The own relay %s says: %s", relay, text);
            case RelayMessage.Ok ok -> {}
            case RelayMessage.Auth auth -> {}
            case RelayMessage.Count count -> {}
            case RelayMessage.NegMsg _ -> {}
            case RelayMessage.NegErr _ -> {}
        }
    }

    private void onEvent(String id, Event event) {
        SelfReading reading = history;
        if (id.equals(LIVE)) {
            vanished |= event.kind() == Kind.VANISH;
            take(event);
        } else if (reading != null && id.equals(reading.subscription()) && reading.isFresh(event)) {
            take(event);
        }
    }

    private void onClosed(String id, String text) {
        SelfReading reading = history;
        if (id.equals(LIVE) || reading != null && id.equals(reading.subscription())) {
            connection.renew("it closed a subscription: " + text);
        }
    }
}
