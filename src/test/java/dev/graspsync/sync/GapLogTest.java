package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.LogCapture;
import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Tag;
import dev.graspsync.sync.core.Purpose;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.wire.RelayMessageWriter;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rule 28: what comes late is told of, once, however its page ends. */
@QuarkusTest
class GapLogTest extends LinkFixture {

    private static final Filter ANNOUNCEMENTS = Filter.ALL.withKinds(30617);

    private LogCapture gaps;
    private LogCapture events;

    @BeforeEach
    void listen() {
        gaps = LogCapture.of(GapLog.class);
        events = LogCapture.of(RelayLink.class);
        open.add(gaps);
        open.add(events);
    }

    private static Event announcement(String name) {
        return TestKeys.ALICE.sign(
                30617,
                1_000,
                List.of(
                        Tag.of("d", name),
                        Tag.of("relays", "wss://relay.example"),
                        Tag.of("clone", "https://relay.example/" + name + ".git")),
                "");
    }

    private Event late(String name, Purpose purpose) throws Exception {
        LoopbackRelay relay = relay(100);
        Event event = announcement(name);
        relay.hold(List.of(event));
        ask(link(relay), relay, ANNOUNCEMENTS, purpose);
        await().until(this::isPageEnded);
        return event;
    }

    @Test
    void anEventThatCameLiveIsADebugLine() throws Exception {
        LoopbackRelay relay = relay(100);
        ask(link(relay), relay, ANNOUNCEMENTS, Purpose.LIVE);
        await().until(this::isPageEnded);

        Event event = announcement("live");
        relay.add(event);

        String line = "DEBUG Event " + event.id() + " came from " + relay.url() + " (LIVE)";
        await().untilAsserted(() -> assertThat(events.lines()).contains(line));
        assertThat(gaps.lines()).isEmpty();
    }

    @Test
    void anEventOfACatchUpIsAWarningAndADebugLine() throws Exception {
        Event event = late("catch-up", Purpose.CATCH_UP);

        assertThat(gaps.lines()).singleElement().asString().startsWith("WARN Sync gap: ");
        assertThat(gaps.lines())
                .singleElement()
                .asString()
                .contains("1 events", event.id().toString());
        assertThat(events.lines())
                .anyMatch(line -> line.startsWith("DEBUG Event " + event.id()) && line.endsWith("(CATCH_UP)"));
    }

    @Test
    void anEventOfAFreshSyncIsAnError() throws Exception {
        Event event = late("fresh-sync", Purpose.FRESH_SYNC);

        assertThat(gaps.lines()).singleElement().asString().startsWith("ERROR Sustained sync gap: ");
        assertThat(gaps.lines()).singleElement().asString().contains(event.id().toString());
    }

    @Test
    void whatAFirstSyncBringsIsNoGap() throws Exception {
        late("first-sync", Purpose.FIRST_SYNC);

        assertThat(gaps.lines()).isEmpty();
    }

    @Test
    void gapsOfAConnectionThatIsLostBeforeTheEndAreToldOf() throws Exception {
        LoopbackRelay relay = relayWithoutEose("lost");

        await().until(() -> counters.gapCount() == 3);
        relay.clients().forEach(socket -> socket.close());

        await().untilAsserted(() -> assertThat(toldOf()).isEqualTo(3));
        await().until(() -> told.stream().anyMatch(SyncInput.Lost.class::isInstance));
        assertThat(gaps.lines()).allMatch(line -> line.startsWith("WARN Sync gap: "));
    }

    @Test
    void gapsOfASubscriptionThatTheRelayClosesAreToldOf() throws Exception {
        LoopbackRelay relay = relayWithoutEose("closed");

        relay.clients()
                .forEach(socket -> socket.writeTextMessage(new String(
                        RelayMessageWriter.write(new RelayMessage.Closed("s", "error: shutting down")),
                        StandardCharsets.UTF_8)));

        // Some may settle only after the CLOSED; they are told of all the same.
        await().untilAsserted(() -> assertThat(toldOf()).isEqualTo(3));
    }

    @Test
    void gapsOfASubscriptionThatIsEndedHereAreToldOf() throws Exception {
        LoopbackRelay relay = relay(100);
        relay.endless();
        relay.hold(three("ended"));
        RelayLink link = link(relay);
        ask(link, relay, ANNOUNCEMENTS, Purpose.CATCH_UP);
        await().until(() -> counters.gapCount() == 3);

        link.unsubscribe("s");

        await().untilAsserted(() -> assertThat(toldOf()).isEqualTo(3));
        assertThat(gaps.lines()).hasSize(1);
    }

    private LoopbackRelay relayWithoutEose(String name) throws Exception {
        LoopbackRelay relay = relay(100);
        relay.endless();
        relay.hold(three(name));
        ask(link(relay), relay, ANNOUNCEMENTS, Purpose.CATCH_UP);
        await().until(() -> relay.sent() == 3);
        return relay;
    }

    private static List<Event> three(String name) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            events.add(announcement(name + "-" + i));
        }
        return events;
    }

    /** How many events the lines tell of. */
    private int toldOf() {
        return gaps.lines().stream()
                .mapToInt(line -> Integer.parseInt(line.replaceFirst(".* found (\\d+) events.*", "$1")))
                .sum();
    }
}
