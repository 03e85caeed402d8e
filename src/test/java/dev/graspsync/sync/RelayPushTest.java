package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.frame;
import static dev.graspsync.sync.RawRelay.readFrame;
import static dev.graspsync.sync.RawRelay.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.sync.core.RelayHints;
import dev.graspsync.wire.ClientMessageReader;
import dev.graspsync.wire.EventJson;
import dev.graspsync.wire.ReadResult;
import dev.graspsync.wire.RelayMessageWriter;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rule 23: publishing what a relay lacks, to relays that answer as they like. */
@QuarkusTest
class RelayPushTest {

    private static final int EVENTS = 50;
    /** As many as are published at once. */
    private static final int AT_ONCE = 16;

    @Inject
    Relay own;

    @Inject
    Vertx vertx;

    private final List<EventId> published = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final NegentropyCounters counters = new NegentropyCounters();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    /** @param answer to the event of this number: what OK says, or nothing where it is absent */
    private RelayPush push(IntFunction<Optional<String>> answer) throws Exception {
        RawRelay relay = new RawRelay((client, request) -> {
            write(client, accept(request));
            while (true) {
                byte[] bytes = readFrame(client);
                if (ClientMessageReader.read(bytes, 0, bytes.length)
                        instanceof ReadResult.Message<ClientMessage>(ClientMessage.Event(Event event))) {
                    published.add(event.id());
                    Optional<String> text = answer.apply(published.size());
                    if (text.isPresent()) {
                        RelayMessage ok =
                                new RelayMessage.Ok(event.id(), text.get().isEmpty(), text.get());
                        write(client, frame(0x81, RelayMessageWriter.write(ok)));
                    }
                }
            }
        });
        NegentropySets sets = new NegentropySets(
                own.store(), own.ingest(), new PeerLacks(own.store(), InstantSource.system()), InstantSource.system());
        RelayConnector connector =
                new RelayConnector(vertx, new TargetRules(true), ConnectionLimits.DEFAULTS, InstantSource.system());
        CompletableFuture<Void> connected = new CompletableFuture<>();
        RelayPush[] push = new RelayPush[1];
        RelayConnection connection = connector.prepare(
                relay.url(),
                new RelayListener() {
                    @Override
                    public void opened(RelayHints hints) {
                        connected.complete(null);
                    }

                    @Override
                    public void openFailed(String why) {
                        connected.completeExceptionally(new IllegalStateException(why));
                    }

                    @Override
                    public void received(RelayMessage message) {
                        if (message instanceof RelayMessage.Ok ok) {
                            push[0].answered(ok);
                        }
                    }

                    @Override
                    public void malformed(String why) {}

                    @Override
                    public void lost(Instant lastHeard, String why) {}
                },
                connector.newContext());
        open.addAll(List.of(connection::close, sets, relay));
        push[0] =
                new RelayPush(relay.url(), connection, sets, counters, InstantSource.system(), Duration.ofMillis(300));
        connection.start();
        connected.get(10, TimeUnit.SECONDS);
        List<EventId> ids = stored();
        connection.onLoop(() -> push[0].lacked(ids));
        return push[0];
    }

    private List<EventId> stored() {
        List<EventId> ids = new ArrayList<>();
        try (WriteBatch batch = own.store().begin()) {
            for (int i = 0; i < EVENTS; i++) {
                Event event = TestKeys.ALICE.sign(1, 1_000 + i, List.of(), "to be pushed " + i);
                batch.save(EventJson.encodeIfIdMatches(event).orElseThrow(), 0, Provenance.DIRECT, 1_000);
                ids.add(event.id());
            }
            batch.commit();
        }
        return ids;
    }

    @Test
    void whatIsAnsweredIsCounted() throws Exception {
        push(number -> Optional.of(""));

        await().until(() -> counters.pushedCount() == EVENTS);
    }

    @Test
    void aMissingOkHoldsUpNothingElse() throws Exception {
        RelayPush push = push(number -> number % 3 == 0 ? Optional.empty() : Optional.of(""));

        await().until(() -> published.size() == EVENTS);
        await().until(() -> counters.pushedCount() == EVENTS - EVENTS / 3);
        assertThat(push.hasEnded()).isFalse();
    }

    @Test
    void aRelayThatNeverSaysOkIsPublishedNoMoreThanFitsAtOnce() throws Exception {
        RelayPush push = push(number -> Optional.empty());

        await().until(push::hasEnded);

        assertThat(published).hasSize(AT_ONCE);
        assertThat(counters.pushedCount()).isZero();
    }

    @Test
    void whoTakesNothingIsPublishedNothingMore() throws Exception {
        RelayPush push = push(number -> Optional.of("restricted: not on the list"));

        await().until(push::hasEnded);

        assertThat(published.size()).isLessThanOrEqualTo(AT_ONCE);
    }
}
