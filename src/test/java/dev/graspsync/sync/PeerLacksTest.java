package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.LogCapture;
import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.Tag;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.wire.EventJson;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the real store: which repositories an operator hears of, and when. */
@QuarkusTest
class PeerLacksTest {

    private static final RelayUrl NAMED = RelayUrl.parse("wss://named.example").orElseThrow();
    private static final RelayUrl STRANGER =
            RelayUrl.parse("wss://stranger.example").orElseThrow();
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000L);
    private static final long LONG_AGO = NOW.getEpochSecond() - 100_000;

    @Inject
    Relay own;

    private LogCapture log;
    private PeerLacks lacks;

    @BeforeEach
    void listen() {
        log = LogCapture.of(PeerLacks.class);
        lacks = new PeerLacks(own.store(), () -> NOW);
    }

    @AfterEach
    void stop() {
        log.close();
    }

    private Event stored(int kind, long createdAt, Tag... tags) {
        Event event = TestKeys.ALICE.sign(kind, createdAt, List.of(tags), "");
        try (WriteBatch batch = own.store().begin()) {
            batch.save(EventJson.encode(event), 1, Provenance.DIRECT, 1_000);
            batch.commit();
        }
        return event;
    }

    private static String address(String name) {
        return "30617:" + TestKeys.ALICE.pubkey().hex() + ":" + name;
    }

    private void announced(String name) {
        stored(30617, LONG_AGO, Tag.of("d", name), Tag.of("relays", NAMED.toString()));
    }

    private EventId issue(String name, int number) {
        return stored(1621, LONG_AGO + number, Tag.of("a", address(name))).id();
    }

    @Test
    void aRelayThatLacksEventsOfARepositoryThatNamesItIsAWarningWithTheirNumber() {
        announced("counted");
        EventId first = issue("counted", 1);
        EventId second = issue("counted", 2);
        EventId reply = stored(1111, LONG_AGO, Tag.of("e", first.hex())).id();

        lacks.lacked(NAMED, List.of(first, second, reply));
        lacks.lacked(NAMED, List.of(second));
        assertThat(log.lines()).isEmpty();
        lacks.tell(NAMED);

        assertThat(log.lines())
                .containsExactly("WARN Relay " + NAMED + " lacks 3 events of " + address("counted")
                        + ", whose announcement names it");
    }

    @Test
    void nothingIsSaidOfARelayThatIsNotNamedNorOfWhatMayBeOnItsWayNorOfWhatIsNotHere() {
        announced("quiet");
        EventId known = issue("quiet", 1);
        EventId justNow = stored(1621, NOW.getEpochSecond() - 60, Tag.of("a", address("quiet")))
                .id();

        lacks.lacked(STRANGER, List.of(known));
        lacks.lacked(NAMED, List.of(justNow, new EventId(1, 2, 3, 4)));
        lacks.tell(STRANGER);
        lacks.tell(NAMED);

        assertThat(log.lines()).isEmpty();
    }

    @Test
    void theWorstThreeAreNamedAndTheRestIsCounted() {
        List<EventId> lacked = new ArrayList<>();
        for (int repo = 1; repo <= 5; repo++) {
            announced("worst-" + repo);
            for (int i = 0; i < repo; i++) {
                lacked.add(issue("worst-" + repo, i));
            }
        }

        lacks.lacked(NAMED, lacked);
        lacks.tell(NAMED);

        assertThat(log.lines()).hasSize(4);
        assertThat(log.lines().get(0)).contains("lacks 5 events of " + address("worst-5"));
        assertThat(log.lines().get(2)).contains("lacks 3 events of " + address("worst-3"));
        assertThat(log.lines().get(3))
                .isEqualTo("WARN Relay " + NAMED + " lacks events of 2 more repositories that name it");
    }

    @Test
    void aRepositoryIsToldOfOnceUntilTheNextFreshSync() {
        announced("once");
        EventId lacked = issue("once", 1);

        lacks.lacked(NAMED, List.of(lacked));
        lacks.tell(NAMED);
        lacks.lacked(NAMED, List.of(lacked));
        lacks.tell(NAMED);
        assertThat(log.lines()).hasSize(1);

        lacks.beginAnew(NAMED);
        lacks.lacked(NAMED, List.of(lacked));
        lacks.tell(NAMED);
        assertThat(log.lines()).hasSize(2);
    }
}
