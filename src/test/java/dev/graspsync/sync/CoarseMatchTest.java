package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.nostr.Tag;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule 15: what is asked for by kind is matched here. */
class CoarseMatchTest {

    private static final RepoAddress REPO = new RepoAddress(TestKeys.ALICE.pubkey(), "repo");
    private static final EventId HERE = new EventId(1, 2, 3, 4);

    private final CoarseMatch match = new CoarseMatch(REPO::equals, HERE::equals);

    @Test
    void rule15WhatNamesARepositoryOfOursMatches() {
        for (String name : List.of("a", "A", "q")) {
            assertThat(match.concernsUs(issue(Tag.of(name, REPO.toString())))).isTrue();
        }
        assertThat(match.concernsUs(
                        issue(Tag.of("a", "30617:" + TestKeys.BOB.pubkey().hex() + ":repo"))))
                .isFalse();
        assertThat(match.concernsUs(issue(Tag.of("r", REPO.toString())))).isFalse();
    }

    @Test
    void rule15WhatIsAboutAStateOfARepositoryOfOursMatches() {
        assertThat(match.concernsUs(
                        issue(Tag.of("a", "30618:" + TestKeys.ALICE.pubkey().hex() + ":repo"))))
                .isTrue();
    }

    @Test
    void rule15WhatNamesAnEventThatIsHereMatchesWhateverItIs() {
        for (String name : List.of("e", "E", "q")) {
            assertThat(match.concernsUs(issue(Tag.of(name, HERE.hex())))).isTrue();
        }
        assertThat(match.concernsUs(TestKeys.BOB.sign(Kind.DELETION, 1, List.of(Tag.of("e", HERE.hex())), "")))
                .isTrue();
        assertThat(match.concernsUs(issue(Tag.of("e", new EventId(9, 9, 9, 9).hex()), Tag.of("p", "x"))))
                .isFalse();
    }

    @Test
    void rule15AStrangersAnnouncementMayBeAMaintainers() {
        assertThat(match.concernsUs(TestKeys.BOB.sign(Kind.REPO_ANNOUNCEMENT, 1, List.of(Tag.of("d", "x")), "")))
                .isTrue();
        assertThat(match.concernsUs(TestKeys.BOB.sign(Kind.REPO_STATE, 1, List.of(Tag.of("d", "x")), "")))
                .isTrue();
    }

    private static Event issue(Tag... tags) {
        return TestKeys.BOB.sign(Kind.ISSUE, 1, List.of(tags), "");
    }
}
