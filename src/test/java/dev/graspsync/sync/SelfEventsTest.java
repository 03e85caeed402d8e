package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.nostr.Tag;
import dev.graspsync.sync.core.Reference;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelfEventsTest {

    private static final RepoAddress REPO = new RepoAddress(TestKeys.ALICE.pubkey(), "repo");

    private final SelfEvents meaning = new SelfEvents(url -> false, new SelfEvents.Stored() {
        @Override
        public boolean has(EventId id) {
            return false;
        }

        @Override
        public boolean had(EventId id) {
            return false;
        }
    });

    /** The state may have come, and been refused, before the announcement was here. */
    @Test
    void rule13AnAnnouncementAsksForItsAuthorsStateAndForItsMaintainers() {
        Event announcement = TestKeys.ALICE.sign(
                Kind.REPO_ANNOUNCEMENT,
                10,
                List.of(
                        Tag.of("d", "repo"),
                        Tag.of("maintainers", TestKeys.BOB.pubkey().hex())),
                "");
        assertThat(meaning.announced(announcement, REPO).references())
                .containsExactly(
                        address(Kind.REPO_STATE, TestKeys.ALICE),
                        address(Kind.REPO_ANNOUNCEMENT, TestKeys.BOB),
                        address(Kind.REPO_STATE, TestKeys.BOB));
    }

    private static Reference address(int kind, TestKeys author) {
        return new Reference.ByAddress(new Address(kind, author.pubkey(), "repo"));
    }
}
