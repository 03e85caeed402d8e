package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.HistoryQuery;
import dev.graspsync.sync.core.Outcome;
import dev.graspsync.sync.core.Page;
import dev.graspsync.sync.core.PageRequest;
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
    /** A batch that fills several filters is handed over at once: to wait would save no request. */
    private static final int MOST_IN_WINDOW = 500;
    /** Batches the engine has not seen before the own relay is no longer read. */
    private static final int MOST_UNSEEN = 16;

    private final RelayUrl relay;
    private final KeptConnection connection;
    private final InstantSource clock;
    private final Duration window;
    private final SelfEvents meaning;
    private final BiConsumer<SyncInput, Runnable> engine;

    private @Nullable HistoryQuery history;
    private @Nullable Page historyPage;
    private String historyId = "";
    private int historyNumber;
    private @Nullable Instant drainedAt;
    private SelfWindow collected = new SelfWindow();
    private boolean windowOpen;
    private int windowNumber;
    private final Burst burst = new Burst();
    private int unseen;

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
            openWindow();
        });
    }

    /** Once a day the own relay is read from its beginning, and what it no longer shows is gone. */
    @Override
    public void drainAgainIfDue() {
        connection.onLoop(() -> {
            Instant before = drainedAt;
            if (history == null && before != null && before.plus(DRAIN_AGAIN).isBefore(clock.instant())) {
                beginHistory();
            }
        });
    }

    // Reading ------------------------------------------------------------------------------------------------------

    private void beginHistory() {
        tell(new SyncInput.SelfDrainBegan(clock.instant()));
        HistoryQuery query = new HistoryQuery(Filter.ALL.withKinds(SelfEvents.KINDS));
        history = query;
        ask(query);
    }

    private void ask(HistoryQuery query) {
        PageRequest request = query.page();
        historyPage = new Page(request);
        historyId = "self-" + ++historyNumber;
        connection.send(new ClientMessage.Req(historyId, request.filters()));
    }

    private void historyEnded(Hint hint) {
        HistoryQuery query = history;
        Page page = historyPage;
        if (query == null || page == null) {
            return;
        }
        connection.send(new ClientMessage.Close(historyId));
        switch (query.ended(page.result(), hint)) {
            case HistoryQuery.Next.More more -> ask(query);
            case HistoryQuery.Next.End(var outcome) -> {
                LOG.debugf("The own relay has been read: %s", outcome);
                history = null;
                historyPage = null;
                flush(() -> drained(outcome));
            }
        }
    }

    /** Only what was read whole can show that something is no longer there. */
    private void drained(Outcome outcome) {
        drainedAt = clock.instant();
        if (outcome instanceof Outcome.Drained) {
            tell(new SyncInput.SelfDrained(clock.instant()));
        }
    }

    private void take(Event event) {
        collected.add(event);
        burst.add();
        if (collected.size() >= MOST_IN_WINDOW) {
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
        connection.onWorker(() -> ended.batch(meaning, clock.instant())).onComplete(read -> {
            unseen--;
            if (read.failed()) {
                // As if the own relay had not been read to its end: everything is read again.
                LOG.errorf(read.cause(), "What the own relay %s showed cannot be looked up", relay);
                connection.renew("the own store failed");
                return;
            }
            if (ended.size() > 0) {
                tell(read.result());
            }
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
        historyPage = null;
    }

    @Override
    public void received(RelayMessage message) {
        switch (message) {
            case RelayMessage.Event(String id, Event event) -> onEvent(id, event);
            case RelayMessage.Eose(String id, Hint hint) -> {
                if (id.equals(historyId)) {
                    historyEnded(hint);
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
        Page page = historyPage;
        if (id.equals(LIVE) || id.equals(historyId) && page != null && page.offer(event) == Page.Found.FRESH) {
            take(event);
        }
    }

    private void onClosed(String id, String text) {
        if (id.equals(LIVE) || id.equals(historyId)) {
            connection.renew("it closed a subscription: " + text);
        }
    }
}
