package dev.graspsync.sync.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.Tag;
import dev.graspsync.relay.MemoryIngest;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorldTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final RelayUrl URL = RelayUrl.parse("wss://relay.example").orElseThrow();
    private static final PublicKey OWNER = new PublicKey(1, 2, 3, 4);
    private static final String REPO = "30617:" + OWNER.hex() + ":repo";

    private final Chance chance = Chance.of(1);
    private final MemoryIngest<SimEvent> home = new MemoryIngest<>(World.DOMAIN, new Deaf());

    @Test
    void theSameSeedGivesTheSameWorld() {
        assertThat(story(3)).isEqualTo(story(3)).isNotEqualTo(story(4));
    }

    @Test
    void whatAWellMeaningRelayHasAndHomeLacksIsMissing() {
        home.ingest(announcement(), NOW);
        SimEvent comment = comment();
        assertThat(missing(relay(false, comment))).containsExactly(comment);
        home.ingest(comment, NOW);
        assertThat(missing(relay(false, comment))).isEmpty();
    }

    @Test
    void whatAHostileRelayHasIsNotMissed() {
        home.ingest(announcement(), NOW);
        assertThat(missing(relay(true, comment()))).isEmpty();
    }

    @Test
    void whatTheRelayHasOfOtherRepositoriesIsNotMissed() {
        assertThat(missing(relay(false, comment()))).isEmpty();
    }

    @Test
    void anAnnouncementThatTakesTheRepositoryOffIsMissing() {
        home.ingest(announcement(), NOW);
        SimEvent delisting = event(Kind.REPO_ANNOUNCEMENT, 1, Tag.of("d", "repo"), Tag.of("relays", URL.toString()));
        assertThat(missing(relay(false, delisting))).containsExactly(delisting);
        home.ingest(delisting, NOW);
        assertThat(home.live()).isEmpty();
    }

    @Test
    void aReplyThatCameBeforeItsRootIsStoredWithIt() {
        home.ingest(announcement(), NOW);
        SimEvent root = event(Kind.ISSUE, 0, Tag.of("a", REPO));
        SimEvent reply = event(1111, 0, Tag.of("E", root.id().hex()));
        home.ingest(reply, NOW);
        assertThat(home.isLive(reply.id())).isFalse();
        home.ingest(root, NOW.plusSeconds(10));
        assertThat(home.isLive(reply.id())).isTrue();
    }

    @Test
    void aDeletedRepositoryDoesNotComeBack() {
        SimEvent announcement = announcement();
        home.ingest(announcement, NOW);
        home.ingest(event(Kind.DELETION, 5, Tag.of("a", REPO)), NOW);
        assertThat(home.isLive(announcement.id())).isFalse();
        home.ingest(announcement(), NOW);
        assertThat(home.live()).extracting(SimEvent::kind).containsExactly(Kind.DELETION);
    }

    private static String story(long seed) {
        StringBuilder story = new StringBuilder();
        World.Outcome outcome = new World(seed, (at, line) -> story.append(at).append(line.get())).run();
        return story.append(outcome.published()).append(outcome.missing()).toString();
    }

    private List<SimEvent> missing(SimRelay relay) {
        return new Oracle(home, NOW)
                .missing(List.of(relay), Set.of()).stream()
                        .map(Oracle.Missing::event)
                        .toList();
    }

    private SimRelay relay(boolean hostile, SimEvent... events) {
        SimRelay relay =
                new SimRelay(URL, RelayTraits.faultless(), Faults.NONE, hostile, new SimClock(NOW), chance.branch());
        List.of(events).forEach(relay::publish);
        return relay;
    }

    private SimEvent announcement() {
        return event(
                Kind.REPO_ANNOUNCEMENT,
                0,
                Tag.of("d", "repo"),
                Tag.of("relays", URL.toString(), World.OWN_URL),
                Tag.of("clone", "https://" + World.DOMAIN + "/r.git"));
    }

    private SimEvent comment() {
        return event(1111, 0, Tag.of("A", REPO));
    }

    private SimEvent event(int kind, int later, Tag... tags) {
        return new SimEvent(chance.id(), OWNER, NOW.getEpochSecond() + later, kind, List.of(tags));
    }

    private record Deaf() implements MemoryIngest.Listener<SimEvent> {
        @Override
        public void stored(SimEvent event) {}

        @Override
        public void gone(SimEvent event, long upToCreatedAt) {}
    }
}
