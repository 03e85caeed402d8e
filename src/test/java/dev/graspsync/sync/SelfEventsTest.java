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
import dev.graspsync.sync.core.SyncInput;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
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

    @Test
    void rule3AWindowEndsWithManyTagsAlthoughTheyAreOfFewEvents() {
        SelfWindow window = new SelfWindow();
        window.add(deletion(4_999));
        assertThat(window.isFull()).isFalse();
        window.add(deletion(1));
        assertThat(window.isFull()).isTrue();
    }

    @Test
    void rule3AWindowEndsWithManyBytes() {
        SelfWindow window = new SelfWindow();
        window.add(TestKeys.ALICE.sign(Kind.ISSUE, 10, List.of(Tag.of("subject", "x".repeat(4_000_000))), ""));
        assertThat(window.isFull()).isTrue();
    }

    @Test
    void rule3WhatManyDeletionsTookIsToldOnceAndInSeveralInputs() {
        SelfEvents deleting = new SelfEvents(url -> false, new SelfEvents.Stored() {
            @Override
            public boolean has(EventId id) {
                return false;
            }

            @Override
            public boolean had(EventId id) {
                return true;
            }
        });
        SelfWindow window = new SelfWindow();
        window.add(deletion(2_500));
        window.add(deletion(2_500));

        List<SyncInput> batches = window.batches(deleting, Instant.EPOCH);

        assertThat(batches)
                .extracting(batch -> ((SyncInput.SelfBatch) batch).removals().size())
                .containsExactly(1_000, 1_000, 500);
    }

    private static Event deletion(int ids) {
        List<Tag> tags = IntStream.range(0, ids)
                .mapToObj(i -> Tag.of("e", new EventId(i, 1, 2, 3).hex()))
                .toList();
        return TestKeys.ALICE.sign(Kind.DELETION, 10, tags, "");
    }

    private static Reference address(int kind, TestKeys author) {
        return new Reference.ByAddress(new Address(kind, author.pubkey(), "repo"));
    }
}
