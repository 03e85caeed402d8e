package dev.graspsync.sync;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.EventSigner;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.Heartbeat;
import dev.graspsync.relay.Relay;
import dev.graspsync.sync.core.SyncAction;
import dev.graspsync.sync.core.SyncEngine;
import dev.graspsync.sync.core.SyncInput;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduler;
import io.quarkus.vertx.http.HttpServer;
import io.quarkus.vertx.http.HttpServerStart;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Inject;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Owns the engine: one thread takes inputs from the one bounded mailbox, gives them to the engine one by one, and
 * carries out what it says. Holds no decisions itself.
 */
@ApplicationScoped
public class SyncManager implements RelayLink.Engine {

    private static final Logger LOG = Logger.getLogger(SyncManager.class);
    /** The engine's steps take milliseconds. */
    private static final Duration STOP = Duration.ofMillis(1_500);

    private static final Duration ANEW = Duration.ofSeconds(10);
    /** Each connection has at most so many unseen inputs, and stops reading its socket then: see {@link RelayLink}. */
    private static final int PER_RELAY = 80;

    private static final int BESIDE = 1_024;

    private record Mail(SyncInput input, @Nullable RelayLink from, Runnable done) {}

    private final SyncOptions options;
    private final Relay relay;
    private final HealthTracker health;
    private final Vertx vertx;
    private final Function<SyncManager, OwnRelay> own;
    private final Runnable jobs;
    private final InstantSource clock = Clock.systemUTC();
    private final BlockingQueue<Mail> mailbox;
    private final Map<RelayUrl, RelayLink> links = new ConcurrentHashMap<>();
    private final RelayConnector connector;
    /** For the operator's own relay, which may be anywhere. */
    private final RelayConnector ownConnector;

    private final NegentropySets sets;
    private final ClientAuthentication authentication;
    private volatile @Nullable OwnRelay ownRelay;
    private final SyncView view = new SyncView(this::tick);
    private final CoarseMatch coarse;
    private volatile @Nullable Thread thread;
    private final Heartbeat turning = new Heartbeat();
    private volatile boolean stopping;

    @Inject
    SyncManager(
            SyncConfig config,
            OwnRelayConfig ownRelay,
            Relay relay,
            HealthTracker health,
            Vertx vertx,
            HttpServer http,
            @ConfigProperty(name = "quarkus.http.host") String httpHost,
            Scheduler jobs) {
        this(
                SyncOptions.of(config, ownRelay.url()),
                relay,
                health,
                vertx,
                self -> self.readEmbedded(httpHost, http.getPort()),
                jobs::resume);
    }

    /**
     * @param own what is wanted is read from it, as soon as the engine runs
     * @param jobs begins what happens by the clock
     */
    SyncManager(
            SyncOptions options,
            Relay relay,
            HealthTracker health,
            Vertx vertx,
            Function<SyncManager, OwnRelay> own,
            Runnable jobs) {
        this.options = options;
        this.relay = relay;
        this.coarse = new CoarseMatch(view::isHosted, id -> relay.store().isKnown(id));
        this.health = health;
        this.vertx = vertx;
        this.own = own;
        this.jobs = jobs;
        this.mailbox = new ArrayBlockingQueue<>(options.settings().places().all() * PER_RELAY + BESIDE);
        this.connector = new RelayConnector(vertx, options.targets(), options.connection(), clock, options.trust());
        this.ownConnector = new RelayConnector(
                vertx,
                new TargetRules(true),
                options.connection().withMessagesOf(relay.config().relay().maxMessageLength()),
                clock,
                options.trust());
        this.sets = new NegentropySets(
                relay.store(), relay.ingest().unwanted(), health.lacks(), clock, ComparingRoom.ofHeap());
        this.authentication = new ClientAuthentication(EventSigner.best(options.secretKey()
                .orElseGet(() -> KeyFile.readOrCreate(relay.config().dataDir()))));
    }

    /** An {@link IllegalArgumentException} says in one line which key is wrong, and why. */
    public static void check(SyncConfig config, OwnRelayConfig ownRelay) {
        SyncOptions.of(config, ownRelay.url());
    }

    void start(@ObservesAsync HttpServerStart started) {
        begin();
    }

    void begin() {
        if (options.enabled() && thread == null) {
            thread = Thread.ofPlatform().name("sync-engine").daemon().start(this::run);
            jobs.run();
        }
    }

    /** A failure is a bug, and the engine's state cannot be trusted after it: as after a restart, all begins anew. */
    private void run() {
        while (!stopping) {
            try {
                run(new SyncEngine(options.settings(), new SecureRandom().nextLong()));
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error bug) {
                LOG.errorf(bug, "The sync engine failed and begins anew in %s: please report this", ANEW);
                disconnectAll();
                mailbox.clear();
                LockSupport.parkNanos(ANEW.toNanos());
            }
        }
    }

    private void run(SyncEngine engine) throws InterruptedException {
        give(engine, new SyncInput.Remembered(clock.instant(), health.load()));
        OwnRelay opened = own.apply(this);
        ownRelay = opened;
        opened.start();
        while (!stopping) {
            turning.beat();
            Mail mail = mailbox.poll(100, TimeUnit.MILLISECONDS);
            if (mail != null) {
                take(engine, mail);
            }
            view.turn(engine, clock.instant());
        }
    }

    /** Where the embedded relay listens: the address it is bound to, or loopback where that is all of them. */
    private OwnRelay readEmbedded(String httpHost, int port) {
        String host = httpHost.equals("0.0.0.0") || httpHost.equals("::") ? "127.0.0.1" : httpHost;
        String literal = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        RelayUrl embedded = RelayUrl.parse("ws://" + literal + ":" + port).orElseThrow();
        return OwnRelay.of(
                options, relay, health, ownConnector, vertx, clock, embedded, this::authenticate, this::tellSelf);
    }

    private void disconnectAll() {
        OwnRelay own = ownRelay;
        if (own != null) {
            own.stop();
        }
        links.values().forEach(RelayLink::close);
        links.keySet().forEach(health::disconnected);
        links.clear();
        view.clear();
    }

    private void take(SyncEngine engine, Mail mail) {
        RelayLink from = mail.from();
        // What a connection said that has been given up meanwhile no longer counts.
        if (from == null || links.get(from.relay()) == from) {
            give(engine, mail.input());
        }
        mail.done().run();
    }

    private void give(SyncEngine engine, SyncInput input) {
        if (input instanceof SyncInput.Lost || input instanceof SyncInput.OpenFailed) {
            LOG.debugf("%s", input);
        }
        count(input);
        if (input instanceof SyncInput.SelfBatch batch) {
            view.announced(batch.announcements());
        }
        engine.step(input).forEach(this::perform);
    }

    private void count(SyncInput input) {
        switch (input) {
            case SyncInput.Opened opened -> {
                health.counters(opened.relay()).opened();
                LOG.infof("Relay %s is connected", opened.relay());
            }
            case SyncInput.OpenFailed failed -> health.counters(failed.relay()).openFailed();
            case SyncInput.Lost lost -> health.disconnected(lost.relay());
            default -> {}
        }
    }

    private void perform(SyncAction action) {
        switch (action) {
            case SyncAction.Connect(RelayUrl url) -> {
                RelayLink link = RelayLink.prepare(url, this, relay.ingest(), sets, clock, connectorFor(url));
                links.put(url, link);
                link.open();
            }
            case SyncAction.Disconnect(RelayUrl url, String why) -> {
                LOG.infof("Disconnecting %s: %s", url, why);
                health.disconnected(url);
                with(links.remove(url), RelayLink::close);
            }
            case SyncAction.Subscribe subscribe ->
                with(links.get(subscribe.relay()), link -> link.subscribe(subscribe));
            case SyncAction.Reconcile reconcile ->
                with(links.get(reconcile.relay()), link -> link.reconcile(reconcile));
            case SyncAction.Unsubscribe(RelayUrl url, String id) -> with(links.get(url), link -> link.unsubscribe(id));
            case SyncAction.Authenticate(RelayUrl url) -> with(links.get(url), RelayLink::authenticate);
            case SyncAction.Remember(RelayUrl url, var record) -> health.remember(url, record);
            case SyncAction.Forget(RelayUrl url) -> health.forget(url);
            case SyncAction.Report(RelayUrl url, var at, var finding) -> health.found(url, finding);
        }
    }

    RelayConnector ownConnector() {
        return ownConnector;
    }

    private RelayConnector connectorFor(RelayUrl url) {
        return options.ownRelay().filter(url::equals).isPresent() ? ownConnector : connector;
    }

    private static void with(@Nullable RelayLink link, Consumer<RelayLink> action) {
        if (link != null) {
            action.accept(link);
        }
    }

    // What happens ------------------------------------------------------------------------------------------------

    @Override
    public void tell(RelayLink from, SyncInput input, Runnable done) {
        post(new Mail(input, from, done));
    }

    void tellSelf(SyncInput input, Runnable done) {
        post(new Mail(input, null, done));
    }

    void tick() {
        tellOnce(new SyncInput.Tick(clock.instant()));
        OwnRelay own = ownRelay;
        if (own != null) {
            own.drainAgainIfDue();
        }
    }

    void checkDisconnects() {
        tellOnce(new SyncInput.CheckDisconnects(clock.instant()));
    }

    public boolean isEnabled() {
        return options.enabled();
    }

    /** Whether the engine's thread has begun, and not ended. */
    public boolean isRunning() {
        Thread running = thread;
        return running != null && running.isAlive();
    }

    /** How long the engine's thread has been busy with one input, or has not run at all. */
    public Duration engineSilence() {
        return turning.silence();
    }

    /** Whether the own relay is connected to: all that is wanted is read from it. */
    public boolean isOwnRelayRead() {
        OwnRelay own = ownRelay;
        return own != null && own.isRead();
    }

    /** Why it is not. */
    public Optional<String> ownRelayProblem() {
        OwnRelay own = ownRelay;
        return own == null ? Optional.of("the sync engine does not run yet") : own.problem();
    }

    /** Of an event that the own relay, being another one, did not take. */
    public Optional<OwnRefusal> refusedByOwnRelay(EventId id) {
        OwnRelay own = ownRelay;
        return own == null ? Optional.empty() : own.refusal(id);
    }

    /** Where the own relay is, if it is another one than the embedded. */
    public Optional<RelayUrl> sidecarOf() {
        return options.ownRelay();
    }

    /** How publishing to it goes, if it is another one than the embedded. */
    public Publishing publishing() {
        OwnRelay own = ownRelay;
        return own == null ? Publishing.NOTHING : own.publishing();
    }

    /** The engine's state, for observers. */
    public SyncView view() {
        return view;
    }

    /** Inputs the engine has not seen yet. */
    public int waitingInputs() {
        return mailbox.size();
    }

    /** Connects to a relay now, whatever its backoff says. */
    public void retryNow(RelayUrl url) {
        tellOnce(new SyncInput.RetryNow(clock.instant(), url));
    }

    /** Asks a relay for everything again. */
    public void freshSyncNow(RelayUrl url) {
        tellOnce(new SyncInput.FreshSyncNow(clock.instant(), url));
    }

    private void tellOnce(SyncInput input) {
        if (thread != null && !stopping) {
            post(new Mail(input, null, () -> {}));
        }
    }

    /** Has room by construction: whoever tells too much is held back at its socket. */
    private void post(Mail mail) {
        if (!mailbox.offer(mail) && !stopping) {
            LOG.errorf("The sync engine's mailbox is full: %s is lost, please report this", mail.input());
        }
    }

    @Override
    public Event authenticate(RelayUrl url, String challenge) {
        return authentication.answer(url, challenge, clock.instant());
    }

    @Override
    public boolean concernsUs(Event event) {
        return coarse.concernsUs(event);
    }

    @Override
    public RelayCounters counters(RelayUrl url) {
        return health.counters(url);
    }

    @Override
    public NegentropyCounters negentropy() {
        return health.negentropy();
    }

    /** Before the relay closes its store. */
    void stop(@Observes @Priority(100) ShutdownEvent event) {
        stop();
    }

    void stop() {
        stopping = true;
        disconnectAll();
        sets.close();
        Thread running = thread;
        if (running != null) {
            LockSupport.unpark(running);
            if (!relay.stopDeadline().join(running, STOP)) {
                LOG.warn("The sync engine is in the middle of a step: what it has not said is not remembered");
            }
            health.save();
            LOG.info("The state of the sync is saved");
        }
    }
}
