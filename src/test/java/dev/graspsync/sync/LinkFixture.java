package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.Tag;
import dev.graspsync.relay.Relay;
import dev.graspsync.sync.core.PageRequest;
import dev.graspsync.sync.core.Purpose;
import dev.graspsync.sync.core.SyncAction;
import dev.graspsync.sync.core.SyncInput;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

/** A link to a relay on loopback, with the real ingest and store, and what it tells the engine. */
abstract class LinkFixture {

    @Inject
    Relay own;

    @Inject
    Vertx vertx;

    final List<SyncInput> told = new CopyOnWriteArrayList<>();
    final List<AutoCloseable> open = new ArrayList<>();
    final RelayCounters counters = new RelayCounters(0);
    final NegentropyCounters compared = new NegentropyCounters();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    RelayLink link(LoopbackRelay relay) {
        RelayLink.Engine engine = new RelayLink.Engine() {
            @Override
            public void tell(RelayLink from, SyncInput input, Runnable done) {
                told.add(input);
                done.run();
            }

            @Override
            public Event authenticate(RelayUrl url, String challenge) {
                return TestKeys.ALICE.sign(22242, 1_000, List.of(Tag.of("challenge", challenge)), "");
            }

            @Override
            public NegentropyCounters negentropy() {
                return compared;
            }

            @Override
            public RelayCounters counters(RelayUrl url) {
                return counters;
            }

            @Override
            public boolean concernsUs(Event event) {
                return event.content().equals("ours");
            }
        };
        RelayConnector connector =
                new RelayConnector(vertx, new TargetRules(true), ConnectionLimits.DEFAULTS, InstantSource.system());
        NegentropySets sets = new NegentropySets(
                own.store(),
                own.ingest().unwanted(),
                new PeerLacks(own.store(), InstantSource.system()),
                InstantSource.system(),
                ComparingRoom.ofHeap());
        open.add(sets);
        RelayLink link = RelayLink.prepare(relay.url(), engine, own.ingest(), sets, InstantSource.system(), connector);
        open.addFirst(link::close);
        link.open();
        await().until(() -> !told.isEmpty());
        assertThat(told.getFirst()).isInstanceOf(SyncInput.Opened.class);
        return link;
    }

    LoopbackRelay relay(int cap) throws Exception {
        LoopbackRelay relay = new LoopbackRelay(vertx, cap);
        open.add(relay);
        return relay;
    }

    void ask(RelayLink link, LoopbackRelay relay, Filter filter, Purpose purpose) {
        link.subscribe(new SyncAction.Subscribe(relay.url(), "s", PageRequest.of(List.of(filter)), purpose));
    }

    boolean isPageEnded() {
        return told.stream().anyMatch(SyncInput.PageEnded.class::isInstance);
    }
}
