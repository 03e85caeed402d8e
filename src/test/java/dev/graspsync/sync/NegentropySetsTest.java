package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Tag;
import dev.graspsync.sync.NegentropySets.Side;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rule 18: our side of comparisons, how much of it there may be, and how long it is kept. */
class NegentropySetsTest extends ComparingFixture {

    private static final Filter ISSUES = Filter.ALL.withKinds(1621);

    private final ComparingRoom room = new ComparingRoom(5, 2 * PIECE);

    private static Side.Ready ready(Side side) {
        assertThat(side).isInstanceOf(Side.Ready.class);
        return (Side.Ready) side;
    }

    @Test
    void allRelaysShareOneSetOfEverythingForAWhile() {
        save(events(3));
        NegentropySets sets = sets(room);
        Side.Ready first = ready(sets.read(Filter.ALL));

        pass(Duration.ofMinutes(1));

        assertThat(ready(sets.read(Filter.ALL)).set()).isSameAs(first.set());
        assertThat(room.taken()).isEqualTo(PIECE);
    }

    @Test
    void noOtherSetOfEverythingIsReadWhileOneIsUsed() {
        save(events(3));
        NegentropySets sets = sets(room);
        Side.Ready first = ready(sets.read(Filter.ALL));
        pass(Duration.ofMinutes(9));
        Side.Ready second = ready(sets.read(Filter.ALL));
        assertThat(second.set()).isSameAs(first.set());

        first.held().run();
        second.held().run();

        assertThat(room.taken()).as("nobody uses it and it is old").isZero();
        assertThat(ready(sets.read(Filter.ALL)).set()).isNotSameAs(first.set());
    }

    @Test
    void setsThatAreUsedForLongTakeTheRoomOfOthers() {
        save(events(3));
        NegentropySets sets = sets(room);
        Side.Ready first = ready(sets.read(Filter.ALL));
        pass(Duration.ofMinutes(11));
        Side.Ready second = ready(sets.read(Filter.ALL));
        pass(Duration.ofMinutes(11));
        assertThat(room.taken()).isEqualTo(2 * PIECE);

        assertThat(sets.read(Filter.ALL)).isInstanceOf(Side.NoRoom.class);
        assertThat(sets.read(ISSUES)).isInstanceOf(Side.NoRoom.class);
        first.held().run();
        assertThat(sets.read(Filter.ALL)).isInstanceOf(Side.Ready.class);
        second.held().run();

        assertThat(room.taken()).isEqualTo(PIECE);
    }

    @Test
    void tooManyEventsAreNotReadAgainAndAgain() {
        save(events(4));
        save(IntStream.range(0, 2)
                .mapToObj(i -> TestKeys.BOB.sign(1621, 2_000 + i, List.of(Tag.of("expiration", "3000")), "goes " + i))
                .toArray(Event[]::new));
        NegentropySets sets = sets(room);
        assertThat(sets.read(Filter.ALL)).isInstanceOf(Side.TooMany.class);
        store.removeExpired(now.getEpochSecond(), 10);

        pass(Duration.ofMinutes(59));
        assertThat(sets.read(Filter.ALL)).isInstanceOf(Side.TooMany.class);
        assertThat(room.taken()).isZero();
        pass(Duration.ofMinutes(2));

        assertThat(sets.read(Filter.ALL)).isInstanceOf(Side.Ready.class);
    }

    @Test
    void rule18WhatWasSupersededHereIsNotFetchedAndCountsAsHere() {
        Event older = TestKeys.ALICE.sign(30617, 1_000, List.of(Tag.of("d", "repo")), "older");
        Event newer = TestKeys.ALICE.sign(30617, 2_000, List.of(Tag.of("d", "repo")), "newer");
        save(older);
        save(newer);
        NegentropySets sets = sets(room);
        assertThat(ready(sets.read(Filter.ALL)).set().size()).isEqualTo(1);

        assertThat(sets.isKnown(older.id())).isTrue();
        assertThat(sets.isKnown(newer.id())).isTrue();
        assertThat(sets.isKnown(events(1)[0].id())).isFalse();

        assertThat(ready(sets.read(Filter.ALL.withKinds(30617))).set().size()).isEqualTo(2);
        assertThat(ready(sets.read(ISSUES)).set().size()).isZero();
    }

    @Test
    void rule18AnEventWithVeryManyTagsIsRememberedToo() {
        List<Tag> tags = IntStream.range(0, 200)
                .mapToObj(i -> Tag.of("p", "somebody " + i))
                .toList();
        Event event = TestKeys.ALICE.sign(1621, 1_000, tags, "to many");

        unwanted.add(event, now);

        assertThat(sets(room).isKnown(event.id())).isTrue();
        assertThat(ready(sets(room).read(Filter.ALL)).set().size()).isEqualTo(1);
    }
}
