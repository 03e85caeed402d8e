package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule 26: half messages of many relays together do not fill the memory. */
class UnfinishedBytesTest {

    private static final long MOST = 1_000_000;

    private final UnfinishedBytes unfinished = new UnfinishedBytes(MOST);
    private final List<String> ended = new ArrayList<>();

    private UnfinishedBytes.Share share(String name) {
        return unfinished.open(why -> ended.add(name));
    }

    @Test
    void rule26WhoHasLetTheOthersWaitLongestIsEndedWhereTooMuchIsHeld() {
        UnfinishedBytes.Share first = share("first");
        first.finished();
        first.hold(600_000);
        UnfinishedBytes.Share second = share("second");
        second.finished();
        second.hold(300_000);
        assertThat(ended).isEmpty();

        UnfinishedBytes.Share third = share("third");
        third.finished();
        third.hold(200_000);

        assertThat(ended).containsExactly("first");
        assertThat(unfinished.held()).isEqualTo(500_000);
        first.hold(0);
        assertThat(unfinished.held()).isEqualTo(500_000);
    }

    @Test
    void rule26UsualMessagesAreNotCounted() {
        for (int i = 0; i < 1_000; i++) {
            share("small").hold(UnfinishedBytes.FREE);
        }

        assertThat(unfinished.held()).isZero();
        assertThat(ended).isEmpty();
    }

    @Test
    void rule26WhoIsNotReadIsNotToBlame() {
        UnfinishedBytes.Share heldBack = share("held back");
        heldBack.hold(700_000);
        heldBack.paused(true);
        UnfinishedBytes.Share slow = share("slow");
        slow.finished();
        slow.hold(200_000);

        share("third").hold(200_000);

        assertThat(ended).doesNotContain("held back").hasSize(1);
    }

    @Test
    void rule26WhatHasComeWholeIsHeldNoLonger() {
        UnfinishedBytes.Share one = share("one");
        for (int i = 0; i < 100; i++) {
            one.hold(500_000);
            one.finished();
            one.hold(0);
        }

        assertThat(unfinished.held()).isZero();
        assertThat(ended).isEmpty();
    }
}
