package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Tag;
import dev.graspsync.relay.IngestResult;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.sync.core.Purpose;
import dev.graspsync.sync.core.SyncAction;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.wire.EventJson;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Rules 28 and 29, with the real ingest and store: provenance, and backpressure down to the socket. */
@QuarkusTest
class RelayLinkTest extends LinkFixture {

    @Test
    void rule28WhatAHistoryBroughtIsStoredWithItsWayAndItsRelay() throws Exception {
        LoopbackRelay relay = relay(100);
        Event announcement = TestKeys.ALICE.sign(
                30617,
                1_000,
                List.of(
                        Tag.of("d", "provenance"),
                        Tag.of("relays", "wss://relay.example"),
                        Tag.of("clone", "https://relay.example/provenance.git")),
                "");
        relay.hold(List.of(announcement));

        ask(link(relay), relay, Filter.ALL.withKinds(30617), Purpose.CATCH_UP);
        await().until(this::isPageEnded);

        assertThat(own.store().find(announcement.id()).orElseThrow().provenance())
                .isEqualTo(Provenance.from(relay.url(), Provenance.Way.CATCH_UP));
        assertThat(counters.gapCount()).isEqualTo(1);
    }

    @Test
    void rule16WhatWasNotAskedForIsDroppedAndCounted() throws Exception {
        LoopbackRelay relay = relay(100);
        RelayLink link = link(relay);
        ask(link, relay, Filter.ALL.withKinds(1621), Purpose.LIVE);
        await().until(this::isPageEnded);
        relay.clients()
                .forEach(socket -> socket.writeTextMessage("[\"EVENT\",\"s\","
                        + new String(
                                EventJson.write(TestKeys.BOB.sign(1, 1_000, List.of(), "unasked")),
                                java.nio.charset.StandardCharsets.UTF_8)
                        + "]"));

        await().until(() -> counters.unaskedCount() == 1);
        assertThat(counters.refusedCount()).isZero();
    }

    /** Its signature is wrong: had anybody looked at it, it would have been refused for that. */
    @Test
    void rule15WhatARelayAskedByKindAloneSendsOfOthersIsNotChecked() throws Exception {
        LoopbackRelay relay = relay(100);
        Event other = TestKeys.BOB.sign(1621, 1_000, List.of(), "");
        Event forged = new Event(
                TestKeys.BOB.sign(1621, 1_001, List.of(), "forged").id(),
                other.pubkey(),
                1_001,
                1621,
                List.of(),
                "forged",
                other.sig());
        Event ours = TestKeys.BOB.sign(1621, 1_002, List.of(), "ours");
        relay.hold(List.of(forged, ours));

        ask(link(relay), relay, Filter.ALL.withKinds(1621), Purpose.LIVE);
        await().until(this::isPageEnded);

        assertThat(counters.unwantedCount()).isEqualTo(1);
        assertThat(counters.refusedCount()).as("no repository is here").isEqualTo(1);
        assertThat(counters.unaskedCount()).isZero();
    }

    private void fetch(LoopbackRelay relay, Event event) throws Exception {
        relay.hold(List.of(event));
        ask(link(relay), relay, Filter.ALL.withIds(Set.of(event.id())), Purpose.FIRST_SYNC);
        await().until(this::isPageEnded);
    }

    @Test
    void rule18AProtectedEventIsNotFetchedASecondTime() throws Exception {
        Event event = TestKeys.BOB.sign(1621, 1_003, List.of(Tag.of("-")), "protected");

        fetch(relay(100), event);

        await().until(() -> own.ingest().unwanted().contains(event.id()));
    }

    /** Else anybody could hide an event by claiming its id. */
    @Test
    void rule18AProtectedEventThatIsNotWhatItsIdSaysIsNoReasonNotToFetchTheTrueOne() throws Exception {
        Event event = TestKeys.BOB.sign(1621, 1_004, List.of(), "true");
        Event forged = new Event(event.id(), event.pubkey(), 1_004, 1621, List.of(Tag.of("-")), "forged", event.sig());
        LoopbackRelay relay = relay(100);
        Event after = TestKeys.BOB.sign(1621, 1_005, List.of(Tag.of("-")), "what comes after it");
        relay.hold(List.of(after, forged));

        ask(link(relay), relay, Filter.ALL.withIds(Set.of(event.id(), after.id())), Purpose.FIRST_SYNC);

        await().until(() -> own.ingest().unwanted().contains(after.id()));
        await().until(this::isPageEnded);
        assertThat(own.ingest().unwanted().contains(event.id())).isFalse();
    }

    @Test
    void rule18WhatAClientBroughtInVainIsNotFetchedASecondTime() throws Exception {
        Event event = TestKeys.BOB.sign(1621, 1_006, List.of(), "of no repository");
        CompletableFuture<IngestResult> answered = new CompletableFuture<>();
        own.ingest().offer(event, Provenance.DIRECT, Set.of(), answered::complete, () -> {});
        assertThat(answered.get(10, TimeUnit.SECONDS).accepted()).isFalse();
        assertThat(own.ingest().unwanted().contains(event.id())).isFalse();

        fetch(relay(100), event);

        assertThat(own.ingest().unwanted().contains(event.id())).isTrue();
    }

    @Test
    void rule29ASlowStoreHoldsTheRelayBackAndLosesNothing() throws Exception {
        int many = 40_000;
        LoopbackRelay relay = relay(many);
        List<Event> flood = new ArrayList<>(many);
        for (int i = 0; i < many; i++) {
            flood.add(TestKeys.BOB.sign(1, 1_000 + i, List.of(), "x".repeat(300)));
        }
        relay.hold(flood);
        RelayLink link = link(relay);
        compareInVain(link, relay);
        int held;
        try (WriteBatch slow = own.store().begin()) {
            ask(link, relay, Filter.ALL.withKinds(1), Purpose.FIRST_SYNC);
            await().until(() -> relay.sent() > 2_000);
            // What was sent stops growing: the sockets' buffers are full, and nobody reads.
            await().pollInterval(Duration.ofMillis(300)).until(new Steady(relay)::isSteady);
            held = relay.sent();
            assertThat(isPageEnded()).isFalse();
        }
        await().atMost(Duration.ofSeconds(60)).until(this::isPageEnded);

        assertThat(held).isLessThan(many / 2);
        assertThat(counters.receivedCount()).isEqualTo(many);
        assertThat(told).as("an answer may be among what was not read").anyMatch(SyncInput.HeldBack.class::isInstance);
    }

    /** The relay does not answer. */
    private void compareInVain(RelayLink link, LoopbackRelay relay) {
        try (WriteBatch batch = own.store().begin()) {
            Event ours = TestKeys.BOB.sign(1, 500, List.of(), "to compare");
            batch.save(EventJson.encodeIfIdMatches(ours).orElseThrow(), 0, Provenance.DIRECT, 1_000);
            batch.commit();
        }
        SyncAction.Reconcile.Most most = new SyncAction.Reconcile.Most(10, 10, 10);
        link.reconcile(new SyncAction.Reconcile(relay.url(), "n", Filter.ALL, 4_096, most, false));
        await().until(() -> told.stream().anyMatch(SyncInput.ReconcileBegan.class::isInstance));
    }

    /** Whether two looks in a row found the same. */
    private static final class Steady {

        private final LoopbackRelay relay;
        private int before = -1;

        Steady(LoopbackRelay relay) {
            this.relay = relay;
        }

        boolean isSteady() {
            int now = relay.sent();
            boolean steady = now == before;
            before = now;
            return steady;
        }
    }

    @Test
    void rule7AChallengeThatComesAfterTheRefusalIsAnswered() throws Exception {
        LoopbackRelay relay = relay(10);
        RelayLink link = link(relay);

        link.authenticate();
        ask(link, relay, Filter.ALL.withKinds(30617), Purpose.FIRST_SYNC);
        await().until(this::isPageEnded);
        relay.say(new RelayMessage.Auth("who are you?"));

        await().until(() -> !relay.auths.isEmpty());
        assertThat(relay.auths.getFirst().event().firstValue("challenge")).contains("who are you?");
    }
}
