package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.Provenance.Way;
import dev.graspsync.store.RelayLedger;
import dev.graspsync.sync.core.RelayView;
import dev.graspsync.sync.core.SyncInput.Removed;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One relay, synced from once: the engine of the service with this relay alone, whatever others the announcements name,
 * and, where somebody wants it, the publisher of the sidecar to another relay.
 */
public final class CatchUp implements AutoCloseable {

    private static final Duration ANSWER = Duration.ofSeconds(5);
    /** Nothing of a single sync is worth remembering. */
    private static final RelayLedger FORGETFUL = new RelayLedger() {
        @Override
        public Map<RelayUrl, Map<String, String>> load() {
            return Map.of();
        }

        @Override
        public void save(Map<RelayUrl, Map<String, String>> changed) {}

        @Override
        public void remove(RelayUrl relay) {}

        @Override
        public void close() {}
    };

    /**
     * How far it is.
     *
     * @param failures to connect, in a row
     * @param why what holds it up; absent while nothing does
     * @param target the relay to publish to, where there is one
     */
    public record State(
            boolean complete,
            long items,
            long confirmed,
            long received,
            long stored,
            long failures,
            Optional<String> why,
            Optional<Target> target) {

        /** Events that are here and that the other relay has not answered. */
        public long unpublished() {
            return target.map(Target::unpublished).orElse(0L);
        }
    }

    /**
     * How far the other relay is.
     *
     * @param unpublished events that it has not answered
     * @param answered events that it has, whatever it said
     * @param unwelcome events that it does not take
     * @param failures to connect to it, in a row
     * @param why the last of them
     */
    public record Target(RelayUrl relay, long unpublished, int answered, int unwelcome, int failures, String why) {}

    private final Relay relay;
    private final RelayUrl from;
    private final Optional<RelayUrl> to;
    private final HealthTracker health;
    private final SyncManager manager;
    private final InstantSource clock = Clock.systemUTC();
    private final @Nullable OwnRelayPublisher publisher;
    private final StoreReader reader;

    private CatchUp(SyncConfig config, Relay relay, Vertx vertx, RelayUrl from, Optional<RelayUrl> to) {
        this.relay = relay;
        this.from = from;
        this.to = to;
        this.health = new HealthTracker(FORGETFUL, config, relay);
        SyncOptions options = SyncOptions.of(config, Optional.of(from.toString()));
        this.manager = new SyncManager(options, relay, health, vertx, this::own, () -> {});
        // Announcements name other relays as well, and none of them is to be dialled: all count as this service.
        SelfEvents meaning = new SelfEvents(url -> true, OwnRelay.stored(relay.store()));
        this.reader = new StoreReader(relay.store(), clock, meaning, manager::tellSelf);
        this.publisher = to.map(url -> new OwnRelayPublisher(
                        url,
                        manager.ownConnector(),
                        relay.store(),
                        health,
                        vertx,
                        clock,
                        options.settings().waits().rateLimitPause(),
                        manager::authenticate))
                .orElse(null);
    }

    /** Begins; {@link #turn} is to be called about once a second from then on. */
    public static CatchUp begin(SyncConfig config, Relay relay, Vertx vertx, RelayUrl from, Optional<RelayUrl> to) {
        CatchUp catchUp = new CatchUp(config, relay, vertx, from, to);
        relay.onDelisted(gone -> catchUp.reader.removed(new Removed.Repo(gone.repo(), gone.createdAt())));
        catchUp.manager.begin();
        return catchUp;
    }

    private OwnRelay own(SyncManager self) {
        return new OwnRelay(reader, Optional.ofNullable(publisher));
    }

    /** Has the engine do what is due, and looks how far it is. */
    public State turn() throws InterruptedException {
        manager.tick();
        Optional<RelayView> view = manager.view().relay(from);
        Optional<Target> target = Optional.ofNullable(publisher).map(this::target);
        return new State(
                isComplete() && target.map(Target::unpublished).orElse(0L) == 0,
                view.map(RelayView::items).orElse(0L),
                view.map(RelayView::confirmed).orElse(0L),
                health.counted(from).receivedCount(),
                stored(),
                health.failures(from),
                view.flatMap(RelayView::why).map(RelayView.Reason::text),
                target);
    }

    private Target target(OwnRelayPublisher publisher) {
        RelayUrl url = to.orElseThrow();
        KeptConnection.Failures failures = publisher.failures();
        Publishing publishing = publisher.publishing();
        return new Target(
                url,
                relay.store().lastSeq() - health.published(url).upTo(),
                publisher.answered(),
                publishing.refused() + publishing.setAside(),
                failures.inARow(),
                failures.last());
    }

    private long stored() {
        return Arrays.stream(Way.values())
                .mapToLong(relay.ingest().counters()::storedCount)
                .sum();
    }

    /** What is stored may ask for more, so nothing may be stored between the two looks at the log. */
    private boolean isComplete() throws InterruptedException {
        long last = relay.store().lastSeq();
        try {
            return reader.takenUpTo() >= last
                    && manager.view().isComplete(from).toCompletableFuture().get(ANSWER.toSeconds(), TimeUnit.SECONDS)
                    && relay.ingest().underWay() == 0
                    && relay.store().lastSeq() == last;
        } catch (ExecutionException | TimeoutException busy) {
            return false;
        }
    }

    @Override
    public void close() {
        manager.stop();
    }
}
