package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.graspsync.nostr.EventId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitingRoomTest {

    private static final Instant NOW = Instant.parse("2025-01-01T00:00:00Z");

    private final WaitingRoom<String> room = new WaitingRoom<>(3, 100);

    @Test
    void whatWaitsForAnyOfTheArrivedLeavesInTheOrderItCame() {
        add(1, Set.of("b"), 10, NOW);
        add(2, Set.of("a", "x"), 10, NOW);
        add(3, Set.of("other"), 10, NOW);

        assertThat(room.takeFor(List.of("a", "b", "x"), NOW)).containsExactly("1", "2");
        assertThat(room.size()).isEqualTo(1);
        assertThat(room.bytes()).isEqualTo(10);
    }

    @Test
    void whatWasTakenIsNotTakenAgainThroughAnotherKey() {
        add(1, Set.of("a", "b"), 10, NOW);

        assertThat(room.takeFor(List.of("a"), NOW)).containsExactly("1");
        assertThat(room.takeFor(List.of("b"), NOW)).isEmpty();
    }

    @Test
    void nothingLeavesForAThingNobodyWaitsFor() {
        add(1, Set.of("a"), 10, NOW);

        assertThat(room.takeFor(List.of("b"), NOW)).isEmpty();
        assertThat(room.size()).isEqualTo(1);
    }

    @Test
    void anEventThatComesAgainIsHeldOnceAndArrivesAnew() {
        add(1, Set.of("a"), 10, NOW);
        add(2, Set.of("a"), 10, NOW);
        add(1, Set.of("a"), 10, NOW.plusSeconds(60));

        assertThat(room.bytes()).isEqualTo(20);
        assertThat(room.takeFor(List.of("a"), NOW.plusSeconds(119))).containsExactly("2", "1");
    }

    @Test
    void aSecondCopyStaysItsOwnTwoMinutes() {
        add(1, Set.of("a"), 10, NOW);
        add(1, Set.of("a"), 10, NOW.plusSeconds(60));

        assertThat(room.takeFor(List.of("a"), NOW.plusSeconds(130))).containsExactly("1");
    }

    @Test
    void theOldestLeavesWhenThereAreTooMany() {
        for (int i = 1; i <= 4; i++) {
            add(i, Set.of("a"), 10, NOW);
        }

        assertThat(room.size()).isEqualTo(3);
        assertThat(room.takeFor(List.of("a"), NOW)).containsExactly("2", "3", "4");
    }

    @Test
    void theOldestLeaveUntilTheBytesFit() {
        add(1, Set.of("a"), 40, NOW);
        add(2, Set.of("a"), 40, NOW);
        add(3, Set.of("a"), 100, NOW);

        assertThat(room.bytes()).isEqualTo(100);
        assertThat(room.takeFor(List.of("a"), NOW)).containsExactly("3");
    }

    @Test
    void anEventLargerThanTheRoomDrivesNobodyOut() {
        add(1, Set.of("a"), 40, NOW);
        add(2, Set.of("a"), 101, NOW);
        add(3, Set.of("a"), Long.MAX_VALUE, NOW);

        assertThat(room.takeFor(List.of("a"), NOW)).containsExactly("1");
    }

    @Test
    void anEventThatLacksNothingIsNotHeld() {
        add(1, Set.of(), 10, NOW);

        assertThat(room.size()).isZero();
    }

    @Test
    void aCopyIsGoneAfterTwoMinutes() {
        add(1, Set.of("a"), 10, NOW);
        add(2, Set.of("a"), 10, NOW.plusSeconds(1));

        assertThat(room.takeFor(List.of("a"), NOW.plusSeconds(120))).containsExactly("2");
    }

    @Test
    void anEmptiedRoomKeepsNoTraces() {
        add(1, Set.of("a", "b"), 10, NOW);
        add(2, Set.of("b", "c"), 10, NOW);
        room.takeFor(List.of("a"), NOW);
        room.evictExpired(NOW.plusSeconds(121));

        assertThat(room.size()).isZero();
        assertThat(room.bytes()).isZero();
        assertThat(room.keys()).isZero();
    }

    @Test
    void negativeSizesAndEmptyRoomsAreBugs() {
        assertThatThrownBy(() -> add(1, Set.of("a"), -1, NOW)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WaitingRoom<String>(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WaitingRoom<String>(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private void add(int number, Set<String> lacks, long size, Instant now) {
        room.add(new EventId(0, 0, 0, number), lacks, size, Integer.toString(number), now);
    }
}
