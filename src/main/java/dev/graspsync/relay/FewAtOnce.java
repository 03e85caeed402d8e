package dev.graspsync.relay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** Lets so many tasks run on other threads at once; the next ones have their turn as these end. Any thread. */
final class FewAtOnce implements Executor {

    private final Executor threads;
    private final int most;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;

    FewAtOnce(Executor threads, int most) {
        this.threads = threads;
        this.most = most;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (this) {
            if (running == most) {
                waiting.add(task);
                return;
            }
            running++;
        }
        start(task);
    }

    private void start(Runnable task) {
        threads.execute(() -> {
            try {
                task.run();
            } finally {
                next();
            }
        });
    }

    private void next() {
        Runnable task;
        synchronized (this) {
            task = waiting.poll();
            if (task == null) {
                running--;
                return;
            }
        }
        start(task);
    }
}
