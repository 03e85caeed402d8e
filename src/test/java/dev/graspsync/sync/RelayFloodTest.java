package dev.graspsync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.sync.core.Purpose;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.wire.EventJson;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.http.ServerWebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rules 16 and 26: what nobody asked for, and what nobody signed, is dropped, counted and at last the end. */
@QuarkusTest
class RelayFloodTest extends LinkFixture {

    private Optional<String> lostBecause() {
        return told.stream()
                .filter(SyncInput.Lost.class::isInstance)
                .map(input -> ((SyncInput.Lost) input).why())
                .findFirst();
    }

    @Test
    void rule26AFloodOfForgedEventsIsTheEnd() throws Exception {
        LoopbackRelay relay = relay(10_000);
        Event pattern = TestKeys.BOB.sign(1, 1_000, List.of(), "forged");
        List<Event> forged = new ArrayList<>();
        for (int i = 0; i < 3 * FloodCredit.FORGED; i++) {
            forged.add(new Event(
                    new EventId(i, i, i, i), pattern.pubkey(), i, 1, pattern.tags(), pattern.content(), pattern.sig()));
        }
        relay.hold(forged);

        ask(link(relay), relay, Filter.ALL.withKinds(1), Purpose.FIRST_SYNC);

        await().atMost(Duration.ofSeconds(30)).until(() -> lostBecause().isPresent());
        assertThat(lostBecause()).hasValue("too many forged events");
        await().until(() -> relay.clients().isEmpty());
        await().until(() -> own.ingest().underWay() == 0);
        assertThat(told.stream().filter(SyncInput.Lost.class::isInstance)).hasSize(1);
        assertThat(counters.forgedCount()).isBetween((long) FloodCredit.FORGED, 3L * FloodCredit.FORGED);
    }

    @Test
    void rule26AFloodOfWhatNobodyAskedForIsTheEnd() throws Exception {
        LoopbackRelay relay = relay(10);
        RelayLink link = link(relay);
        ask(link, relay, Filter.ALL.withKinds(1621), Purpose.LIVE);
        await().until(this::isPageEnded);
        String event = new String(EventJson.write(TestKeys.BOB.sign(1, 1_000, List.of(), "unasked")), UTF_8);
        for (ServerWebSocket socket : relay.clients()) {
            for (int i = 0; i < FloodCredit.UNASKED / 2; i++) {
                socket.writeTextMessage("[\"EVENT\",\"s\"," + event + "]");
                socket.writeTextMessage("[\"EVENT\",\"never open\"," + event + "]");
            }
        }

        await().atMost(Duration.ofSeconds(30)).until(() -> lostBecause().isPresent());
        assertThat(lostBecause()).hasValue("too many events that nobody asked for");
        await().until(() -> relay.clients().isEmpty());
    }

    @Test
    void rule16WhatIsStillOnItsWayWhenASubscriptionIsClosedIsNotHeldAgainstTheRelay() throws Exception {
        LoopbackRelay relay = relay(10);
        RelayLink link = link(relay);
        ask(link, relay, Filter.ALL.withKinds(1621), Purpose.LIVE);
        await().until(this::isPageEnded);
        link.unsubscribe("s");
        Event late = TestKeys.BOB.sign(1621, 1_010, List.of(), "late");
        for (ServerWebSocket socket : relay.clients()) {
            socket.writeTextMessage("[\"EVENT\",\"s\"," + new String(EventJson.write(late), UTF_8) + "]");
            socket.writeTextMessage("[\"NOTICE\",\"done\"]");
        }

        await().until(() -> told.stream().anyMatch(SyncInput.Noticed.class::isInstance));
        assertThat(counters.unaskedCount()).isZero();
    }
}
