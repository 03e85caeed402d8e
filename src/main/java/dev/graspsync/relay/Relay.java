package dev.graspsync.relay;

import dev.graspsync.nostr.EventVerifier;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.h2.H2EventStore;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/** The own relay's parts, put together at start and taken apart at stop. */
@ApplicationScoped
public class Relay {

    private static final Logger LOG = Logger.getLogger(Relay.class);
    private static final long MOST_CACHE = 256L << 20;
    private static final long MOST_QUESTIONS = 128L << 20;
    private static final int COUNTED_AT_ONCE = 2;
    private static final Duration HOUSEKEEPING = Duration.ofSeconds(20);

    private final RelayConfig config;
    private final Vertx vertx;
    private final EventStore store;
    private final EventIngest ingest;
    private final Housekeeping housekeeping;
    private final RefusalFile refusals;
    private final UnwantedFile unwanted;
    private final ServiceDomain service;
    private final EventVerifier verifier;
    private final Sessions sessions;
    private final SharedRoom negentropyRoom;
    private final SharedRoom questionRoom;
    private final Executor counters;
    private final Executor comparers;
    private final StopDeadline stopDeadline = new StopDeadline();
    private final List<Consumer<Delisting>> delistings = new CopyOnWriteArrayList<>();

    @Inject
    Relay(RelayConfig config, Vertx vertx) {
        this(config, vertx, Strictness.AS_CONFIGURED);
    }

    private Relay(RelayConfig config, Vertx vertx, Strictness strictness) {
        this.config = config;
        this.vertx = vertx;
        this.service = ServiceDomain.parse(config.domain());
        this.store = H2EventStore.open(config.dataDir(), (int) (HeapShare.of(12, MOST_CACHE) >> 20));
        this.negentropyRoom = negentropyRoom(config.relay().maxNegentropyEvents());
        this.questionRoom = new SharedRoom(HeapShare.of(10, MOST_QUESTIONS));
        this.counters = new FewAtOnce(workers(), COUNTED_AT_ONCE);
        this.comparers =
                new FewAtOnce(workers(), Math.max(2, Runtime.getRuntime().availableProcessors()));
        this.sessions = new Sessions(vertx, store, config.relay(), workers());
        AcceptancePolicy policy =
                new AcceptancePolicy(config.acceptance(), config.domain(), strictness == Strictness.RESTORING);
        this.verifier = EventVerifier.best();
        LOG.infof("Signatures are verified by %s", verifier.implementation());
        verifier.heldUpIn()
                .ifPresent(folder -> LOG.warnf(
                        "libsecp256k1 cannot be loaded from %s, so that checking signatures takes several times as long:"
                                + " files there have to be writable and executable (docker: --tmpfs /tmp:exec), or name"
                                + " another folder by -Djava.io.tmpdir",
                        folder));
        this.ingest = new EventIngest(
                store,
                verifier,
                new EventWriter(store, policy, Clock.systemUTC(), this::tellDelisted),
                new Admission(oldest(config, strictness), config.relay().createdAtUpperLimit(), Clock.systemUTC()),
                sessions::committed);
        this.refusals = RefusalFile.open(config.dataDir(), ingest.refusals());
        this.unwanted = ingest.unwantedFile(config.dataDir(), rules(config, strictness));
        this.housekeeping = new Housekeeping(store, Clock.systemUTC(), HOUSEKEEPING, refusals::saveNowAndThen);
    }

    /** Each event takes some 42 bytes. One connection may have a quarter, but always one comparison of the largest size. */
    private static SharedRoom negentropyRoom(long mostOfOne) {
        long most = Math.max(mostOfOne, Math.min(4 * mostOfOne, HeapShare.of(9, Long.MAX_VALUE) / 42));
        return new SharedRoom(most, Math.max(mostOfOne, most / 4));
    }

    private static Optional<Duration> oldest(RelayConfig config, Strictness strictness) {
        return strictness == Strictness.AS_CONFIGURED ? config.relay().createdAtLowerLimit() : Optional.empty();
    }

    /** What makes this relay refuse what it refuses: under others, it may be wanted. */
    private static String rules(RelayConfig config, Strictness strictness) {
        return String.join(
                " ",
                config.domain(),
                config.acceptance().name(),
                strictness.name(),
                config.relay().createdAtLowerLimit().toString(),
                ConfigProvider.getConfig()
                        .getOptionalValue("quarkus.application.version", String.class)
                        .orElse(""));
    }

    /** The parts without an endpoint: nobody can connect. */
    public static Relay withoutEndpoint(RelayConfig config, Vertx vertx, Strictness strictness) {
        Relay relay = new Relay(config, vertx, strictness);
        relay.ingest.start();
        relay.housekeeping.start();
        return relay;
    }

    /** An {@link IllegalArgumentException} says in one line which key is wrong, and why. */
    public static void check(RelayConfig config) {
        try {
            ServiceDomain.parse(config.domain());
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("grasp.domain: " + wrong.getMessage(), wrong);
        }
    }

    void start(@Observes StartupEvent started) {
        ingest.start();
        housekeeping.start();
        LOG.infof(
                "The relay of %s holds its events in %s",
                config.domain(), config.dataDir().toAbsolutePath());
    }

    void stop(@Observes ShutdownEvent stopping) {
        close();
    }

    /** What was acknowledged is in the store. */
    public void close() {
        ingest.close();
        housekeeping.close(stopDeadline);
        refusals.save();
        unwanted.save();
        store.close();
    }

    /** Shared by all that ends before the store does. */
    public StopDeadline stopDeadline() {
        return stopDeadline;
    }

    public RelayConfig config() {
        return config;
    }

    public EventStore store() {
        return store;
    }

    /** Whether a URL in an announcement means this relay. */
    public boolean isOwnRelay(String url) {
        return service.isRelay(url);
    }

    /** @param listener told, on the writing thread, of repositories that an announcement took off this service */
    public void onDelisted(Consumer<Delisting> listener) {
        delistings.add(listener);
    }

    private void tellDelisted(Delisting delisting) {
        delistings.forEach(listener -> listener.accept(delisting));
    }

    public EventIngest ingest() {
        return ingest;
    }

    /** Where calls that may block on the disk belong. */
    Executor workers() {
        return task -> vertx.executeBlocking(
                () -> {
                    task.run();
                    return null;
                },
                false);
    }

    /** The name by which this relay is meant. */
    ServiceDomain service() {
        return service;
    }

    EventVerifier verifier() {
        return verifier;
    }

    /** In events, of all comparisons (NIP-77) together. */
    SharedRoom negentropyRoom() {
        return negentropyRoom;
    }

    /** In bytes, of all that clients ask for. */
    SharedRoom questionRoom() {
        return questionRoom;
    }

    /** Where COUNTs are answered. */
    Executor counters() {
        return counters;
    }

    /** Where comparisons read the store. */
    Executor comparers() {
        return comparers;
    }

    Sessions sessions() {
        return sessions;
    }
}
