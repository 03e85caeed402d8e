package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.relay.EventIngest.Entry;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IngestRoomTest {

    private final AtomicInteger called = new AtomicInteger();

    @Test
    void whoFillsItIsCalledWhenHalfOfItIsFree() {
        IngestRoom room = new IngestRoom(4, 1_000);
        assertThat(enter(room, 1)).isEqualTo(Entry.TAKEN);
        assertThat(enter(room, 1)).isEqualTo(Entry.TAKEN);
        assertThat(enter(room, 1)).isEqualTo(Entry.TAKEN);
        assertThat(enter(room, 1)).isEqualTo(Entry.TAKEN_AND_FULL);
        room.leave(1);
        assertThat(called).hasValue(0);
        room.leave(1);
        assertThat(called).hasValue(1);
        room.leave(1);
        assertThat(called).as("once").hasValue(1);
    }

    @Test
    void fewLargeEventsFillItAsManySmallOnesDo() {
        IngestRoom room = new IngestRoom(1_000, 1_000);
        assertThat(enter(room, 600)).isEqualTo(Entry.TAKEN);
        assertThat(enter(room, 600)).isEqualTo(Entry.TAKEN_AND_FULL);
        assertThat(enter(room, 600)).isEqualTo(Entry.TAKEN_AND_FULL);
        assertThat(enter(room, 600)).as("more than twice the measure").isEqualTo(Entry.REFUSED);
        room.leave(600);
        room.leave(600);
        assertThat(called).hasValue(0);
        room.leave(600);
        assertThat(called).hasValue(2);
        assertThat(enter(room, 600)).isEqualTo(Entry.TAKEN);
    }

    private Entry enter(IngestRoom room, long size) {
        return room.enter(size, called::incrementAndGet);
    }
}
