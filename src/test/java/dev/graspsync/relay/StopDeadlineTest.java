package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What does not end is not waited for once more by each who waits. */
@Timeout(60)
class StopDeadlineTest {

    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void theWaitsForManyThreadsDoNotAddUp() {
        StopDeadline deadline = new StopDeadline(Duration.ofMillis(200));
        CountDownLatch never = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    never.await();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        long begun = System.nanoTime();

        threads.forEach(thread -> assertThat(deadline.join(thread, LONG)).isFalse());

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
        never.countDown();
    }

    @Test
    void oneThreadDoesNotTakeTheTimeOfTheOthers() {
        StopDeadline deadline = new StopDeadline(LONG);
        CountDownLatch never = new CountDownLatch(1);
        Thread stuck = Thread.ofVirtual().start(() -> {
            try {
                never.await();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        });

        assertThat(deadline.join(stuck, Duration.ofMillis(10))).isFalse();

        never.countDown();
        assertThat(deadline.join(stuck, LONG)).isTrue();
    }
}
