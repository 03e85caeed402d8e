package dev.graspsync.relay;

import static dev.graspsync.relay.SampleEvent.ALICE;
import static dev.graspsync.relay.SampleEvent.BOB;
import static dev.graspsync.relay.SampleEvent.announcement;
import static dev.graspsync.relay.SampleEvent.event;
import static dev.graspsync.relay.SampleEvent.id;
import static dev.graspsync.relay.SampleEvent.repo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Tag;
import dev.graspsync.relay.Verdict.Accept;
import dev.graspsync.relay.Verdict.Reason;
import dev.graspsync.relay.Verdict.Wait;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WaitingKeysTest {

    private static final Tag RELAYS = Tag.of("relays", "wss://grasp.example");
    private static final Tag CLONE = Tag.of("clone", "https://grasp.example/npub1x/r.git");

    @Test
    void anAnnouncementBringsItsMaintainersAndWhatItMentions() {
        SampleEvent event =
                announcement(1, ALICE, "a:b", Tag.of("maintainers", ALICE.hex(), BOB.hex()), Tag.of("e", id(2).hex()));

        assertThat(WaitingKeys.broughtBy(event, Reason.ANNOUNCEMENT))
                .containsExactlyInAnyOrder(id(1).hex(), repo(ALICE, "a:b"), "d:" + BOB + ":a:b", id(2).hex());
    }

    /** Anybody may fill the waiting room with announcements of one identifier; updates of it must not pay for that. */
    @Test
    void anUpdateHasNobodyJudgedAgainButThoseItLists() {
        AcceptancePolicy policy = new AcceptancePolicy(AcceptanceMode.HOSTED, "grasp.example");
        InMemoryKnown known = new InMemoryKnown();
        SampleEvent hosted = announcement(1, ALICE, "r", RELAYS, CLONE, Tag.of("maintainers", BOB.hex()));
        known.with(hosted, Reason.ANNOUNCEMENT);
        WaitingRoom<SampleEvent> room = new WaitingRoom<>(2_000, 10_000);
        for (int i = 0; i < 1_000; i++) {
            SampleEvent refused =
                    announcement(10 + i, new PublicKey(i, 1, 2, 3), "r", Tag.of("maintainers", ALICE.hex()));
            Wait wait = (Wait) policy.decide(refused, known);
            room.add(refused.id(), wait.lacks(), 1, refused, Instant.EPOCH);
        }
        assertThat(room.size()).isEqualTo(1_000);
        assertThat(room.takeFor(WaitingKeys.broughtBy(hosted, Reason.ANNOUNCEMENT), Instant.EPOCH))
                .isEmpty();
    }

    @Test
    void aReplyBringsItselfOnly() {
        SampleEvent event = event(1, ALICE, 1111, Tag.of("d", "x"), Tag.of("e", id(2).hex()));

        assertThat(WaitingKeys.broughtBy(event, Reason.ABOUT)).containsExactly(id(1).hex());
    }

    @Test
    void inWhateverOrderEventsComeAllAreAcceptedInTheEnd() {
        List<SampleEvent> events = new ArrayList<>(List.of(
                announcement(1, ALICE, "r:x", RELAYS, CLONE, Tag.of("maintainers", BOB.hex())),
                announcement(2, BOB, "r:x", Tag.of("maintainers", ALICE.hex())),
                event(3, BOB, Kind.REPO_STATE, Tag.of("d", "r:x")),
                event(4, BOB, Kind.ISSUE, Tag.of("a", repo(BOB, "r:x")), Tag.of("q", id(8).hex())),
                event(5, ALICE, 1111, Tag.of("E", id(4).hex()), Tag.of("e", id(4).hex())),
                event(6, BOB, 1111, Tag.of("e", id(5).hex())),
                event(7, BOB, Kind.DELETION, Tag.of("e", id(6).hex())),
                event(8, ALICE, 1),
                event(9, ALICE, 1111, Tag.of("a", "30618:" + BOB + ":r:x"))));

        for (long seed = 0; seed < 500; seed++) {
            Collections.shuffle(events, new Random(seed));
            assertThat(acceptedOf(events)).as("seed %d: %s", seed, events).isEqualTo(events.size());
        }
    }

    private static int acceptedOf(List<SampleEvent> events) {
        AcceptancePolicy policy = new AcceptancePolicy(AcceptanceMode.HOSTED, "grasp.example");
        InMemoryKnown known = new InMemoryKnown();
        WaitingRoom<SampleEvent> room = new WaitingRoom<>(100, 1000);
        Deque<SampleEvent> queue = new ArrayDeque<>(events);
        int accepted = 0;
        while (!queue.isEmpty()) {
            SampleEvent event = queue.poll();
            switch (policy.decide(event, known)) {
                case Accept(Reason reason) -> {
                    accepted++;
                    known.with(event, reason);
                    queue.addAll(room.takeFor(WaitingKeys.broughtBy(event, reason), Instant.EPOCH));
                }
                case Wait(String message, var lacks) -> room.add(event.id(), lacks, 1, event, Instant.EPOCH);
                case Verdict.Refuse refuse -> throw new AssertionError(refuse);
                case Verdict.Delisted delisted -> throw new AssertionError(delisted);
            }
        }
        return accepted;
    }
}
