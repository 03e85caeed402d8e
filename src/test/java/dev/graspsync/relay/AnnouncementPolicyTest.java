package dev.graspsync.relay;

import static dev.graspsync.relay.SampleEvent.ALICE;
import static dev.graspsync.relay.SampleEvent.BOB;
import static dev.graspsync.relay.SampleEvent.CAROL;
import static dev.graspsync.relay.SampleEvent.announcement;
import static dev.graspsync.relay.SampleEvent.event;
import static dev.graspsync.relay.SampleEvent.repo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.Tag;
import dev.graspsync.relay.Verdict.Accept;
import dev.graspsync.relay.Verdict.Delisted;
import dev.graspsync.relay.Verdict.Reason;
import dev.graspsync.relay.Verdict.Refuse;
import dev.graspsync.relay.Verdict.Wait;
import org.junit.jupiter.api.Test;

class AnnouncementPolicyTest {

    private static final Verdict ACCEPTED = new Accept(Reason.ANNOUNCEMENT);
    private static final Tag OUR_RELAYS = Tag.of("relays", "wss://other.example", "wss://grasp.example/");
    private static final Tag OUR_CLONE =
            Tag.of("clone", "https://other.example/n/r.git", "https://grasp.example/npub1x/r.git");

    private final InMemoryKnown known = new InMemoryKnown();

    @Test
    void hostedTakesWhatListsUsInRelaysAndClone() {
        assertThat(hosted(announcement(1, ALICE, "r", OUR_RELAYS, OUR_CLONE))).isEqualTo(ACCEPTED);
    }

    @Test
    void hostedRefusesWhatListsUsInOneOfThemOnly() {
        assertThat(hosted(announcement(1, ALICE, "r", OUR_RELAYS))).isInstanceOf(Wait.class);
        assertThat(hosted(announcement(1, ALICE, "r", OUR_CLONE))).isInstanceOf(Wait.class);
    }

    @Test
    void relaysModeNeedsNoCloneUrl() {
        assertThat(decide(AcceptanceMode.RELAYS, announcement(1, ALICE, "r", OUR_RELAYS)))
                .isEqualTo(ACCEPTED);
        assertThat(decide(AcceptanceMode.RELAYS, announcement(1, ALICE, "r", OUR_CLONE)))
                .isInstanceOf(Wait.class);
    }

    @Test
    void archiveTakesEveryAnnouncementWithAnIdentifier() {
        assertThat(decide(AcceptanceMode.ARCHIVE, announcement(1, ALICE, "r"))).isEqualTo(ACCEPTED);
        assertThat(decide(AcceptanceMode.ARCHIVE, event(1, ALICE, Kind.REPO_ANNOUNCEMENT)))
                .isInstanceOf(Refuse.class);
    }

    @Test
    void relayUrlsComeFromRelaysNeverFromR() {
        Tag r = Tag.of("r", "wss://grasp.example");
        assertThat(decide(AcceptanceMode.RELAYS, announcement(1, ALICE, "r", r)))
                .isInstanceOf(Wait.class);
    }

    @Test
    void anAnnouncementWithoutIdentifierIsInvalid() {
        Verdict without = hosted(event(1, ALICE, Kind.REPO_ANNOUNCEMENT, OUR_RELAYS, OUR_CLONE));
        assertThat(without).isEqualTo(new Refuse("invalid: a repository announcement needs a d tag"));
        assertThat(hosted(announcement(1, ALICE, "", OUR_RELAYS, OUR_CLONE))).isEqualTo(without);
    }

    @Test
    void aCoMaintainersAnnouncementNeedNotListUs() {
        Tag both = Tag.of("maintainers", CAROL.hex(), BOB.hex());
        known.with(announcement(1, ALICE, "a:b:c", OUR_RELAYS, OUR_CLONE, both), Reason.ANNOUNCEMENT);

        assertThat(hosted(announcement(2, BOB, "a:b:c"))).isEqualTo(ACCEPTED);
        assertThat(hosted(announcement(3, BOB, "a"))).isInstanceOf(Wait.class);
    }

    @Test
    void aRefusedAnnouncementWaitsForThoseWhoMayListItsAuthor() {
        Verdict verdict = hosted(
                announcement(1, ALICE, "a:b", Tag.of("maintainers", ALICE.hex(), BOB.hex(), "noise", CAROL.hex())));

        assertThat(verdict).isInstanceOfSatisfying(Wait.class, wait -> {
            assertThat(wait.lacks()).containsExactly("d:" + ALICE + ":a:b");
            assertThat(wait.message()).startsWith("blocked: ").contains("grasp.example", "relays and clone");
        });
    }

    @Test
    void anOwnerWhoNoLongerListsUsDelistsTheRepository() {
        Tag self = Tag.of("maintainers", ALICE.hex());
        known.with(announcement(1, ALICE, "r", OUR_RELAYS, OUR_CLONE, self), Reason.ANNOUNCEMENT);

        assertThat(hosted(announcement(2, ALICE, "r", OUR_RELAYS, self)))
                .isInstanceOfSatisfying(Delisted.class, delisted -> {
                    assertThat(delisted.address()).isEqualTo(new Address(Kind.REPO_ANNOUNCEMENT, ALICE, "r"));
                    assertThat(delisted.message()).startsWith("blocked: ");
                });
    }

    @Test
    void anotherAuthorsAnnouncementOfTheSameNameDelistsNothing() {
        known.with(announcement(1, ALICE, "r", OUR_RELAYS, OUR_CLONE), Reason.ANNOUNCEMENT);

        assertThat(hosted(announcement(2, BOB, "r"))).isInstanceOf(Wait.class);
        assertThat(hosted(announcement(3, ALICE, "other"))).isInstanceOf(Wait.class);
    }

    @Test
    void beingMentionedDoesNotMakeAnAnnouncementAcceptable() {
        known.with(event(1, ALICE, Kind.ISSUE, Tag.of("a", repo(BOB, "r"))), Reason.ROOT);

        assertThat(hosted(announcement(2, BOB, "r"))).isInstanceOf(Wait.class);
    }

    private Verdict hosted(SampleEvent event) {
        return decide(AcceptanceMode.HOSTED, event);
    }

    private Verdict decide(AcceptanceMode mode, SampleEvent event) {
        return new AcceptancePolicy(mode, "grasp.example").decide(event, known);
    }
}
