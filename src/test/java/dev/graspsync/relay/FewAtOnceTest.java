package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FewAtOnceTest {

    @Test
    void soManyRunAtOnceAndAllOfThemRun() throws InterruptedException {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(200);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            FewAtOnce two = new FewAtOnce(threads, 2);
            for (int i = 0; i < 200; i++) {
                two.execute(() -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    running.decrementAndGet();
                    done.countDown();
                });
            }
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void aTaskThatFailsGivesItsPlaceToTheNext() {
        AtomicInteger ran = new AtomicInteger();
        FewAtOnce one = new FewAtOnce(
                task -> {
                    try {
                        task.run();
                    } catch (IllegalStateException expected) {
                        ran.incrementAndGet();
                    }
                },
                1);
        one.execute(() -> {
            throw new IllegalStateException("as a task may");
        });
        one.execute(ran::incrementAndGet);
        assertThat(ran).hasValue(2);
    }
}
