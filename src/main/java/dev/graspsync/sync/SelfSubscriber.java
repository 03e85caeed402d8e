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
import dev.graspsync.sync.core.RelayHints;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.sync.core.SyncInput.Removed;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiConsumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Subscribes to the own relay, the only source of what is wanted (rule 4): read to its end after every connect, because
 * what was synced meanwhile may be old, and once a day; live in between. Hands the engine a batch when a window
 * that began with the first event ends: it does not reset, and ends before its time when it is full or when a burst is
 * over. Lives on one event loop.
 */
final class SelfSubscriber implements SelfReader {

    private static final Logger LOG = Logger.getLogger(SelfSubscriber.class);
    private static final String LIVE = "self-live";
    private static final Duration LEAST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration MOST_BACKOFF = Duration.ofSeconds(30);
    private static final Duration DRAIN_AGAIN = Duration.ofHours(24);
    /** A batch that fills several filters is handed over at once: to wait would save no request. */
    private static final int MOST_IN_WINDOW = 500;
    /** Batches the engine has not seen before the own relay is no longer read. */
    private static final int MOST_UNSEEN = 16;

    private final RelayUrl relay;
    private final RelayConnector connector;
    private final Vertx vertx;
    /** All state is touched here only, whichever connection is open. */
    private final Context context;

    private final InstantSource clock;
    private final Duration window;
    private final SelfEvents meaning;
    private final BiConsumer<SyncInput, Runnable> engine;

    private @Nullable RelayConnection connection;
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
    private Duration backoff = LEAST_BACKOFF;
    private volatile boolean connected;
    private volatile boolean stopped;

    SelfSubscriber(
            RelayUrl relay,
            RelayConnector connector,
            Vertx vertx,
            InstantSource clock,
            Duration window,
            SelfEvents meaning,
            BiConsumer<SyncInput, Runnable> engine) {
        this.relay = relay;
        this.connector = connector;
        this.vertx = vertx;
        this.context = connector.newContext();
        this.clock = clock;
        this.window = window;
        this.meaning = meaning;
        this.engine = engine;
    }

    @Override
    public void start() {
        onLoop(this::connect);
    }

    private void connect() {
        if (!stopped) {
            RelayConnection opening = connector.prepare(relay, new Listener(), context);
            connection = opening;
            opening.start();
        }
    }

    @Override
    public void stop() {
        stopped = true;
        onLoop(() -> {
            RelayConnection open = connection;
            if (open != null) {
                open.close();
            }
        });
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    /** The own relay took a repository off without an event that says so. */
    @Override
    public void removed(Removed removed) {
        onLoop(() -> {
            collected.remove(removed);
            openWindow();
        });
    }

    /** Once a day the own relay is read from its beginning, and what it no longer shows is gone. */
    @Override
    public void drainAgainIfDue() {
        onLoop(() -> {
            Instant before = drainedAt;
            if (history == null && before != null && before.plus(DRAIN_AGAIN).isBefore(clock.instant())) {
                beginHistory();
            }
        });
    }

    private void onLoop(Runnable task) {
        context.runOnContext(ignored -> task.run());
    }

    private void send(ClientMessage message) {
        RelayConnection open = connection;
        if (open != null) {
            open.send(message);
        }
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
        send(new ClientMessage.Req(historyId, request.filters()));
    }

    private void historyEnded(Hint hint) {
        HistoryQuery query = history;
        Page page = historyPage;
        if (query == null || page == null) {
            return;
        }
        send(new ClientMessage.Close(historyId));
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
            after(window, () -> {
                if (isOpen(number)) {
                    flush(() -> {});
                }
            });
            awaitQuiet(number);
        }
    }

    /** A window that a burst filled ends with the burst. */
    private void awaitQuiet(int number) {
        after(Burst.QUIET, () -> {
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

    private void after(Duration time, Runnable task) {
        vertx.setTimer(Math.max(1, time.toMillis()), timer -> onLoop(task));
    }

    /** Hands the window over; what its events mean is looked up on a worker, one window after the other. */
    private void flush(Runnable then) {
        windowOpen = false;
        SelfWindow ended = collected;
        collected = new SelfWindow();
        unseen++;
        hold();
        context.executeBlocking(() -> ended.batch(meaning, clock.instant()), true)
                .onComplete(read -> {
                    unseen--;
                    if (read.failed()) {
                        // As if the own relay had not been read to its end: everything is read again.
                        LOG.errorf(read.cause(), "What the own relay %s showed cannot be looked up", relay);
                        reconnect("the own store failed");
                        return;
                    }
                    if (ended.size() > 0) {
                        tell(read.result());
                    }
                    then.run();
                    hold();
                });
    }

    private void reconnect(String why) {
        connected = false;
        RelayConnection open = connection;
        if (open != null) {
            open.close();
        }
        history = null;
        historyPage = null;
        if (!stopped) {
            LOG.warnf("The own relay %s cannot be read: %s; next attempt in %s", relay, why, backoff);
            vertx.setTimer(backoff.toMillis(), timer -> onLoop(this::connect));
            Duration next = backoff.multipliedBy(2);
            backoff = next.compareTo(MOST_BACKOFF) > 0 ? MOST_BACKOFF : next;
        }
    }

    private void tell(SyncInput input) {
        unseen++;
        hold();
        engine.accept(
                input,
                () -> onLoop(() -> {
                    unseen--;
                    hold();
                }));
    }

    private void hold() {
        RelayConnection open = connection;
        if (open != null) {
            if (unseen >= MOST_UNSEEN) {
                open.pause();
            } else {
                open.resume();
            }
        }
    }

    // The connection -----------------------------------------------------------------------------------------------

    private final class Listener implements RelayListener {

        @Override
        public void opened(RelayHints hints) {
            backoff = LEAST_BACKOFF;
            connected = true;
            // Rule 9: live first, so that nothing falls between; without since, because what is synced may be old.
            send(new ClientMessage.Req(
                    LIVE, List.of(Filter.ALL.withKinds(SelfEvents.KINDS).withLimit(0))));
            beginHistory();
        }

        @Override
        public void openFailed(String why) {
            reconnect(why);
        }

        @Override
        public void lost(Instant heard, String why) {
            reconnect(why);
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
                lost(clock.instant(), "it closed a subscription: " + text);
            }
        }

        @Override
        public void malformed(String why) {
            LOG.warnf("The own relay %s sent what is no message: %s", relay, why);
        }
    }
}
