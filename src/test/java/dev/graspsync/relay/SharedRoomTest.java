package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SharedRoomTest {

    private final SharedRoom room = new SharedRoom(100);

    @Test
    void oneTakesAQuarterAtTheMost() {
        SharedRoom.Share one = room.share();
        assertThat(one.take(20)).isTrue();
        assertThat(one.take(6)).isFalse();
        assertThat(one.take(5)).isTrue();
        assertThat(room.taken()).isEqualTo(25);
    }

    @Test
    void allTogetherTakeNoMoreThanThereIs() {
        List<SharedRoom.Share> four = Stream.generate(room::share).limit(4).toList();
        four.forEach(share -> assertThat(share.take(25)).isTrue());
        SharedRoom.Share fifth = room.share();
        assertThat(fifth.take(1)).isFalse();
        four.getFirst().giveBack(10);
        assertThat(fifth.take(11)).isFalse();
        assertThat(fifth.take(10)).isTrue();
    }
}
