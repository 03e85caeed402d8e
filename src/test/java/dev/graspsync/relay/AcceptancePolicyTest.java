package dev.graspsync.relay;

import static dev.graspsync.relay.SampleEvent.ALICE;
import static dev.graspsync.relay.SampleEvent.BOB;
import static dev.graspsync.relay.SampleEvent.CAROL;
import static dev.graspsync.relay.SampleEvent.announcement;
import static dev.graspsync.relay.SampleEvent.event;
import static dev.graspsync.relay.SampleEvent.id;
import static dev.graspsync.relay.SampleEvent.repo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Tag;
import dev.graspsync.relay.Verdict.Accept;
import dev.graspsync.relay.Verdict.Reason;
import dev.graspsync.relay.Verdict.Refuse;
import dev.graspsync.relay.Verdict.Wait;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptancePolicyTest {

    private static final int NOTE = 1;
    private static final int COMMENT = 1111;
    private static final int ARTICLE = 30_023;
    private static final String REPO = repo(ALICE, "git:repo:x");

    private final AcceptancePolicy policy = new AcceptancePolicy(AcceptanceMode.HOSTED, "grasp.example");
    private final InMemoryKnown known = new InMemoryKnown()
            .with(
                    announcement(
                            1,
                            ALICE,
                            "git:repo:x",
                            Tag.of("relays", "wss://grasp.example"),
                            Tag.of("clone", "https://grasp.example/npub1alice/x.git"),
                            Tag.of("maintainers", BOB.hex())),
                    Reason.ANNOUNCEMENT);

    @Test
    void aMessageNamesTheBeginningOfWhatIsEndless() {
        Tag endless = Tag.of("a", repo(ALICE, "x".repeat(400_000)));
        Tag state = Tag.of("d", "y".repeat(400_000));

        assertThat(policy.decide(event(1, BOB, 1111, endless), new InMemoryKnown()))
                .isInstanceOfSatisfying(
                        Verdict.Wait.class, wait -> assertThat(wait.message()).hasSizeLessThan(500));
        assertThat(policy.decide(event(2, BOB, 30618, state), new InMemoryKnown()))
                .isInstanceOfSatisfying(
                        Verdict.Wait.class, wait -> assertThat(wait.message()).hasSizeLessThan(500));
    }

    @Test
    void aStateIsTakenFromTheOwnerAndFromMaintainers() {
        assertAccepted(state(ALICE, "git:repo:x"), Reason.STATE);
        assertAccepted(state(BOB, "git:repo:x"), Reason.STATE);
    }

    @Test
    void aStrangersStateWaitsForAnAnnouncement() {
        assertThat(waiting(state(CAROL, "git:repo:x")).lacks())
                .containsExactlyInAnyOrder(repo(CAROL, "git:repo:x"), "d:" + CAROL + ":git:repo:x");
        assertThat(waiting(state(ALICE, "git")).message())
                .startsWith("blocked: ")
                .contains(repo(ALICE, "git"));
    }

    @Test
    void aStateWithoutIdentifierIsInvalid() {
        assertRefused(event(9, ALICE, Kind.REPO_STATE), "invalid: ");
    }

    @ParameterizedTest
    @ValueSource(ints = {Kind.PATCH, Kind.PULL_REQUEST, Kind.PULL_REQUEST_UPDATE, Kind.ISSUE})
    void aRootEventMayNameOurRepositoryInAnyOfItsAddressTags(int kind) {
        Tag foreign = Tag.of("a", repo(CAROL, "x"));
        assertAccepted(event(9, CAROL, kind, Tag.of("a", "noise"), foreign, Tag.of("a", REPO)), Reason.ROOT);
        assertThat(waiting(event(9, CAROL, kind, foreign)).lacks())
                .containsExactlyInAnyOrder(id(9).hex(), repo(CAROL, "x"));
    }

    @Test
    void aRootEventThatOnlyQuotesOurRepositoryIsAboutIt() {
        assertAccepted(event(9, CAROL, Kind.ISSUE, Tag.of("q", REPO)), Reason.ABOUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A", "q"})
    void whatNamesOurRepositoryIsAboutIt(String name) {
        assertAccepted(event(9, CAROL, COMMENT, Tag.of(name, REPO, "wss://hint")), Reason.ABOUT);
    }

    @Test
    void whatNamesAStateOfOurRepositoryIsAboutIt() {
        assertAccepted(event(9, CAROL, COMMENT, Tag.of("a", stateAddress(ALICE))), Reason.ABOUT);
        assertAccepted(event(9, CAROL, COMMENT, Tag.of("a", stateAddress(BOB))), Reason.ABOUT);
        assertThat(waiting(event(9, CAROL, COMMENT, Tag.of("a", stateAddress(CAROL))))
                        .lacks())
                .containsExactlyInAnyOrder(
                        id(9).hex(), stateAddress(CAROL), repo(CAROL, "git:repo:x"), "d:" + CAROL + ":git:repo:x");
    }

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"ANNOUNCEMENT", "STATE", "ROOT", "ABOUT"})
    void repliesToWhatIsAboutARepositoryAreAboutItToo(Reason reason) {
        known.with(event(2, ALICE, NOTE), reason);
        for (String name : new String[] {"e", "E", "q"}) {
            assertAccepted(event(9, CAROL, COMMENT, Tag.of(name, id(2).hex(), "wss://hint", "root")), Reason.ABOUT);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"MENTIONED", "DELETION", "VANISH"})
    void repliesToAnythingElseAreNotAboutUs(Reason reason) {
        known.with(event(2, ALICE, NOTE), reason);
        assertThat(waiting(event(9, CAROL, COMMENT, Tag.of("e", id(2).hex()))).lacks())
                .containsExactlyInAnyOrder(id(9).hex(), id(2).hex());
    }

    @Test
    void whatARootEventOrAnAnnouncementMentionsIsTaken() {
        Address article = new Address(ARTICLE, CAROL, "on:git");
        known.with(event(2, ALICE, Kind.ISSUE, Tag.of("q", id(9).hex())), Reason.ROOT);
        known.with(announcement(3, ALICE, "z", Tag.of("a", article.toString())), Reason.ANNOUNCEMENT);

        assertAccepted(event(9, CAROL, NOTE), Reason.MENTIONED);
        assertAccepted(event(8, CAROL, ARTICLE, Tag.of("d", "on:git")), Reason.MENTIONED);
    }

    @Test
    void whatAMereReplyMentionsIsNotTaken() {
        known.with(event(2, ALICE, COMMENT, Tag.of("q", id(9).hex())), Reason.ABOUT);

        waiting(event(9, CAROL, NOTE));
    }

    @Test
    void anUnrelatedEventWaitsForWhatItNamesAndForBeingNamed() {
        String other = repo(CAROL, "x");
        Wait wait = waiting(event(
                9, CAROL, ARTICLE, Tag.of("d", "t"), Tag.of("A", other), Tag.of("e", id(7).hex()), Tag.of("p", "x")));

        assertThat(wait.lacks())
                .containsExactlyInAnyOrder(id(9).hex(), ARTICLE + ":" + CAROL + ":t", other, id(7).hex());
        assertThat(wait.message()).startsWith("blocked: ").contains(other, id(7).hex());
    }

    @Test
    void noiseIsNoReference() {
        Tag[] noise = {
            Tag.of(), Tag.of("e"), Tag.of("e", "abc"), Tag.of("a", "30617:x:y"), Tag.of("a", "30617"), Tag.of("x", REPO)
        };
        Wait wait = waiting(event(9, CAROL, NOTE, noise));

        assertThat(wait.lacks()).containsExactly(id(9).hex());
        assertThat(wait.message()).startsWith("blocked: ").contains("names no repository");
    }

    @Test
    void aMessageStaysShortHoweverManyReferencesAreMissing() {
        Tag[] many = new Tag[500];
        for (int i = 0; i < many.length; i++) {
            many[i] = Tag.of("e", id(1000 + i).hex());
        }
        Wait wait = waiting(event(9, CAROL, NOTE, many));

        assertThat(wait.lacks()).hasSize(501);
        assertThat(wait.message()).hasSizeLessThan(400).endsWith("and 497 more");
    }

    @Test
    void aDeletionIsKeptIfItsTargetIsOrWasHere() {
        SampleEvent gone = event(2, CAROL, ARTICLE, Tag.of("d", "t"));
        known.with(gone, Reason.MENTIONED);
        known.delete(gone);
        known.with(event(3, CAROL, NOTE), Reason.MENTIONED);

        assertAccepted(deletion(Tag.of("e", id(2).hex())), Reason.DELETION);
        assertAccepted(deletion(Tag.of("e", id(7).hex()), Tag.of("e", id(3).hex())), Reason.DELETION);
        assertAccepted(deletion(Tag.of("a", ARTICLE + ":" + CAROL + ":t")), Reason.DELETION);
        assertAccepted(deletion(Tag.of("a", REPO)), Reason.DELETION);
    }

    @Test
    void aDeletionThatCameBeforeItsTargetWaitsForIt() {
        assertThat(waiting(deletion(Tag.of("e", id(7).hex()))).lacks()).contains(id(7).hex());
    }

    @Test
    void aRequestToVanishMustNameUsOrAllRelays() {
        Tag other = Tag.of("relay", "wss://grasp.example.evil");
        assertAccepted(event(9, CAROL, Kind.VANISH, Tag.of("relay", "ALL_RELAYS")), Reason.VANISH);
        assertAccepted(event(9, CAROL, Kind.VANISH, other, Tag.of("relay", "wss://grasp.example/")), Reason.VANISH);
        assertRefused(event(9, CAROL, Kind.VANISH, other, Tag.of("a", REPO)), "blocked: ");
        assertRefused(event(9, CAROL, Kind.VANISH), "blocked: ");
    }

    @Test
    void anAuthenticationIsNeverAnEvent() {
        assertRefused(event(9, CAROL, Kind.CLIENT_AUTH, Tag.of("a", REPO)), "invalid: ");
    }

    private static SampleEvent state(PublicKey author, String identifier) {
        return event(9, author, Kind.REPO_STATE, Tag.of("d", identifier));
    }

    private static SampleEvent deletion(Tag... tags) {
        return event(9, CAROL, Kind.DELETION, tags);
    }

    private static String stateAddress(PublicKey author) {
        return new Address(Kind.REPO_STATE, author, "git:repo:x").toString();
    }

    private void assertAccepted(SampleEvent event, Reason reason) {
        assertThat(policy.decide(event, known)).isEqualTo(new Accept(reason));
    }

    private void assertRefused(SampleEvent event, String prefix) {
        assertThat(policy.decide(event, known))
                .isInstanceOfSatisfying(
                        Refuse.class, refusal -> assertThat(refusal.message()).startsWith(prefix));
    }

    private Wait waiting(SampleEvent event) {
        Verdict verdict = policy.decide(event, known);
        assertThat(verdict).isInstanceOf(Wait.class);
        return (Wait) verdict;
    }
}
