package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.readFrame;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static org.assertj.core.api.Assertions.assertThat;
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
import dev.graspsync.wire.ClientMessageWriter;
import dev.graspsync.wire.ReadResult;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rules 18 to 20 on one connection: what relays answer to comparisons, and what the engine hears of it. */
class NegentropySessionsTest extends ComparingFixture {

    private static final String ID = "gs-n1";
    private static final Filter ISSUES = Filter.ALL.withKinds(1621);

    private final List<SyncInput> told = new CopyOnWriteArrayList<>();
    private final List<ClientMessage> heard = new CopyOnWriteArrayList<>();
    private final List<EventId> lacked = new CopyOnWriteArrayList<>();
    private final NegentropyCounters counters = new NegentropyCounters();
    private final ComparingRoom room = new ComparingRoom(1_000, 2 * PIECE);
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private @Nullable NegentropySets sets;
    private @Nullable NegentropySessions sessions;
    private @Nullable RelayConnection connection;

    private NegentropySets sets() {
        return Objects.requireNonNull(sets);
    }

    private NegentropySessions sessions() {
        return Objects.requireNonNull(sessions);
    }

    private RelayConnection connection() {
        return Objects.requireNonNull(connection);
    }

    /** @param script the texts that answer a NEG-OPEN or NEG-MSG */
    private void connect(Function<NegentropyMessage, List<String>> script) {
        RawRelay relay = raw((client, request) -> {
            write(client, accept(request));
            while (true) {
                byte[] bytes = readFrame(client);
                if (!(ClientMessageReader.read(bytes, 0, bytes.length)
                        instanceof ReadResult.Message<ClientMessage>(ClientMessage message))) {
                    continue;
                }
                heard.add(message);
                @Nullable NegentropyMessage asked = switch (message) {
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
        sessions = new NegentropySessions(
                relay.url(), opened, ours, counters, () -> now, told::add, lacked::addAll);
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
                case RelayMessage.NegErr(String id, String reason, var cap) -> sessions().refused(id, reason, cap);
                case RelayMessage.Closed(String id, String reason) ->
                    sessions().refused(id, reason, OptionalLong.empty());
                default -> throw new AssertionError(message);
            }
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

    private void compare(Filter filter) {
        SyncAction.Reconcile action = new SyncAction.Reconcile(
                connection().relay(), ID, filter, 60_000, new SyncAction.Reconcile.Most(100, 10, 100), true);
        connection().onLoop(() -> sessions().open(action));
    }

    private <T extends SyncInput> T awaitTold(Class<T> type) {
        await().atMost(Duration.ofSeconds(20)).until(() -> told.stream().anyMatch(type::isInstance));
        return told.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    private ReconcileFailure awaitFailure() {
        return awaitTold(SyncInput.ReconcileFailed.class).why();
    }

    private static String message(String hex) {
        return "[\"NEG-MSG\",\"" + ID + "\",\"" + hex + "\"]";
    }

    /** What a relay with these events answers. */
    private static Function<NegentropyMessage, List<String>> honest(Event... events) {
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

    private boolean saidGoodbye() {
        return heard.stream().anyMatch(ClientMessage.NegClose.class::isInstance);
    }

    @Test
    void bothDifferencesAreFoundAndTheRoomIsGivenBack() {
        Event[] all = events(40);
        save(Arrays.copyOfRange(all, 1, 40));
        connect(honest(Arrays.copyOfRange(all, 0, 39)));

        compare(ISSUES);

        SyncInput.Reconciled found = awaitTold(SyncInput.Reconciled.class);
        assertThat(found.need()).containsExactly(all[0].id());
        assertThat(found.have()).isEqualTo(1);
        assertThat(lacked).containsExactly(all[39].id());
        assertThat(room.taken()).isZero();
        await().until(this::saidGoodbye);
    }

    @Test
    void bytesAreCountedAsOnTheWire() {
        Event[] all = events(3);
        save(all);
        Function<NegentropyMessage, List<String>> relay = honest(all);
        AtomicInteger answered = new AtomicInteger();
        connect(asked -> {
            List<String> answers = relay.apply(asked);
            answers.forEach(answer -> answered.addAndGet(answer.length()));
            return answers;
        });

        compare(ISSUES);
        awaitTold(SyncInput.Reconciled.class);
        await().until(this::saidGoodbye);

        assertThat(counters.receivedBytes()).isEqualTo(answered.get());
        assertThat(counters.sentBytes())
                .isEqualTo(heard.stream()
                        .mapToInt(said -> ClientMessageWriter.write(said).length)
                        .sum());
        assertThat(counters.roundCount()).isEqualTo(1);
    }

    @Test
    void rule20ACapTellsWhereToSplitWhatIsOurs() {
        save(events(10));
        connect(asked -> List.of("[\"NEG-ERR\",\"gs-n1\",\"blocked: too many query results\",5]"));

        compare(ISSUES);

        assertThat(awaitFailure())
                .isEqualTo(new ReconcileFailure.Refused(
                        "blocked: too many query results", OptionalLong.of(5), OptionalLong.of(1_004)));
        assertThat(room.taken()).isZero();
    }

    @Test
    void rule20ClosedIsARefusalToo() {
        save(events(10));
        connect(asked -> List.of("[\"CLOSED\",\"gs-n1\",\"error: not now\"]"));

        compare(ISSUES);

        assertThat(awaitFailure()).isInstanceOf(ReconcileFailure.Refused.class);
        assertThat(saidGoodbye()).isFalse();
    }

    @Test
    void aFloodOfRefusalsIsToldOnce() {
        save(events(10));
        String refusal = "[\"NEG-ERR\",\"gs-n1\",\"error: no\"]";
        connect(asked -> Collections.nCopies(1_000, refusal));

        compare(ISSUES);
        awaitFailure();
        told.clear();
        compare(ISSUES); // answered after the flood
        awaitFailure();

        assertThat(told).hasSize(2);
    }

    @Test
    void whatIsNoHexIsNoMessageOfTheProtocol() {
        save(events(10));
        connect(asked -> List.of(message("no hex")));

        compare(ISSUES);

        assertThat(awaitFailure()).isInstanceOf(ReconcileFailure.Broken.class);
        await().until(this::saidGoodbye);
    }

    @Test
    void anAnswerToNothingThatWasAskedEndsIt() throws Exception {
        Event[] all = events(200);
        save(all);
        CountDownLatch busy = new CountDownLatch(1);
        Function<NegentropyMessage, List<String>> relay = honest(events(100));
        connect(asked -> {
            // Nobody here can look at the first answer before the second has come.
            for (int i = 0; i < 2; i++) {
                sets().execute(() -> await().atMost(Duration.ofSeconds(20)).until(() -> busy.getCount() == 0));
            }
            String answer = relay.apply(asked).getFirst();
            return List.of(answer, answer);
        });

        compare(ISSUES);

        assertThat(awaitFailure()).isEqualTo(new ReconcileFailure.Broken("it answers what was not asked"));
        busy.countDown();
        await().until(() -> room.taken() == 0);
    }

    @Test
    void itDoesNotGoOnForHours() {
        save(events(900));
        Function<NegentropyMessage, List<String>> relay = honest(events(880));
        connect(asked -> {
            pass(Duration.ofMinutes(11));
            return relay.apply(asked);
        });

        compare(ISSUES);

        assertThat(awaitFailure()).isInstanceOf(ReconcileFailure.Broken.class);
        assertThat(room.taken()).isZero();
    }

    @Test
    void moreThanFitsIsSaidWithoutAskingTheRelay() {
        save(events(1_001));
        connect(asked -> List.of());

        compare(ISSUES);

        assertThat(awaitFailure()).isInstanceOf(ReconcileFailure.TooMany.class);
        assertThat(heard).isEmpty();
        assertThat(room.taken()).isZero();
    }

    @Test
    void whereThereIsNoRoomNothingIsAsked() {
        save(events(10));
        connect(asked -> List.of());
        assertThat(room.take(2 * PIECE)).isTrue();

        compare(ISSUES);

        assertThat(awaitFailure()).isInstanceOf(ReconcileFailure.Failed.class);
        assertThat(heard).isEmpty();
    }

    @Test
    void aLostConnectionGivesTheRoomBack() {
        save(events(10));
        connect(asked -> List.of());
        compare(ISSUES);
        awaitTold(SyncInput.ReconcileBegan.class);
        assertThat(room.taken()).isEqualTo(PIECE);
        assertThat(sessions().areWaiting()).isTrue();

        connection().onLoop(sessions()::clear);

        await().until(() -> room.taken() == 0);
        assertThat(sessions().areWaiting()).isFalse();
    }
}
