package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BurstTest {

    private final Burst burst = new Burst();

    private void add(int events) {
        for (int i = 0; i < events; i++) {
            burst.add();
        }
    }

    @Test
    void isOverOnceAfterManyEventsAndThenNone() {
        add(Burst.LEAST - 1);
        assertThat(burst.isOver()).isFalse();
        add(1);
        assertThat(burst.isOver()).isFalse();
        assertThat(burst.isOver()).isTrue();
        assertThat(burst.isOver()).isFalse();
    }

    @Test
    void eventsThatComeSinglyAreNoBurst() {
        for (int i = 0; i < 3 * Burst.LEAST; i++) {
            add(1);
            assertThat(burst.isOver()).isFalse();
            assertThat(burst.isOver()).isFalse();
        }
    }
}
