package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.readFrame;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static org.awaitility.Awaitility.await;

import dev.graspsync.negentropy.NegentropyServer;
import dev.graspsync.negentropy.SealedSet;
import dev.graspsync.negentropy.ServerStep;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.sync.core.ReconcileFailure;
import dev.graspsync.sync.core.RelayHints;
import dev.graspsync.sync.core.SyncAction;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.wire.ClientMessageReader;
import dev.graspsync.wire.ReadResult;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One connection's comparisons with a relay that answers by a script. */
abstract class NegentropySessionsFixture extends ComparingFixture {

    private static final String ID = "gs-n1";
    static final Filter ISSUES = Filter.ALL.withKinds(1621);

    final List<SyncInput> told = new CopyOnWriteArrayList<>();
    final List<ClientMessage> heard = new CopyOnWriteArrayList<>();
    /** Messages of the relay that were dealt with. */
    final AtomicInteger answers = new AtomicInteger();

    final List<EventId> lacked = new CopyOnWriteArrayList<>();
    final NegentropyCounters counters = new NegentropyCounters();
    final ComparingRoom room = new ComparingRoom(1_000, 2 * PIECE);
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private @Nullable NegentropySets sets;
    private @Nullable NegentropySessions sessions;
    private @Nullable RelayConnection connection;

    NegentropySets sets() {
        return Objects.requireNonNull(sets);
    }

    NegentropySessions sessions() {
        return Objects.requireNonNull(sessions);
    }

    RelayConnection connection() {
        return Objects.requireNonNull(connection);
    }

    /** @param script the texts that answer a NEG-OPEN or NEG-MSG */
    void connect(Function<NegentropyMessage, List<String>> script) {
        RawRelay relay = raw((client, request) -> {
            write(client, accept(request));
            while (true) {
                byte[] bytes = readFrame(client);
                if (!(ClientMessageReader.read(bytes, 0, bytes.length)
                        instanceof ReadResult.Message<ClientMessage>(ClientMessage message))) {
                    continue;
                }
                heard.add(message);
                @Nullable
                NegentropyMessage asked = switch (message) {
                    case ClientMessage.NegOpen(var id, var filter, NegentropyMessage first) -> first;
                    case ClientMessage.NegMsg(var id, NegentropyMessage next) -> next;
                    default -> null;
                };
                if (asked != null) {
                    for (String answer : script.apply(asked)) {
                        write(client, text(answer));
                    }
                }
            }
        });
        NegentropySets ours = sets(room);
        RelayConnection opened =
                connector(ConnectionLimits.DEFAULTS, InetAddress::getAllByName).connect(relay.url(), new Listener());
        open.addFirst(opened::close);
        sets = ours;
        connection = opened;
        sessions = new NegentropySessions(relay.url(), opened, ours, counters, () -> now, told::add, lacked::addAll);
        connected.orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** As the link does it. */
    private final class Listener implements RelayListener {

        private int length;

        @Override
        public void opened(RelayHints hints) {
            connected.complete(null);
        }

        @Override
        public void openFailed(String why) {
            connected.completeExceptionally(new IllegalStateException(why));
        }

        @Override
        public void heard(int bytes) {
            length = bytes;
        }

        @Override
        public void received(RelayMessage message) {
            switch (message) {
                case RelayMessage.NegMsg(String id, var answer) -> sessions().message(id, answer, length);
                case RelayMessage.NegErr(String id, String reason, var cap) ->
                    sessions().refused(id, reason, cap);
                case RelayMessage.Closed(String id, String reason) ->
                    sessions().refused(id, reason, OptionalLong.empty());
                default -> throw new AssertionError(message);
            }
            answers.incrementAndGet();
        }

        @Override
        public void malformed(String why) {}

        @Override
        public void malformedFor(String session, String why) {
            sessions().malformed(session, why);
        }

        @Override
        public void lost(Instant lastHeard, String why) {
            sessions().clear();
        }
    }

    void compare(Filter filter) {
        SyncAction.Reconcile action = new SyncAction.Reconcile(
                connection().relay(), ID, filter, 60_000, new SyncAction.Reconcile.Most(100, 10, 100), true);
        connection().onLoop(() -> sessions().open(action));
    }

    <T extends SyncInput> T awaitTold(Class<T> type) {
        await().atMost(Duration.ofSeconds(20)).until(() -> told.stream().anyMatch(type::isInstance));
        return told.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    ReconcileFailure awaitFailure() {
        return awaitTold(SyncInput.ReconcileFailed.class).why();
    }

    static String message(String hex) {
        return "[\"NEG-MSG\",\"" + ID + "\",\"" + hex + "\"]";
    }

    /** What a relay with these events answers. */
    static Function<NegentropyMessage, List<String>> honest(Event... events) {
        SealedSet.Builder set = SealedSet.builder(events.length);
        for (Event event : events) {
            set.add(
                    event.createdAt(),
                    event.id().a(),
                    event.id().b(),
                    event.id().c(),
                    event.id().d());
        }
        NegentropyServer server = new NegentropyServer(set.seal(), 60_000);
        return asked -> server.reconcile(asked.bytes()) instanceof ServerStep.Reply(byte[] reply)
                ? List.of(message(new NegentropyMessage(reply).hex()))
                : List.of();
    }

    boolean saidGoodbye() {
        return heard.stream().anyMatch(ClientMessage.NegClose.class::isInstance);
    }
}
