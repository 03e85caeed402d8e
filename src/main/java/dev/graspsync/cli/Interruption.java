package dev.graspsync.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ctrl-C and SIGTERM: the command hears of it, puts its things in order, and the process ends after that. */
final class Interruption implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = Thread.ofPlatform().name("interruption").unstarted(this::await);
    private volatile boolean asked;

    Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    boolean isAsked() {
        return asked;
    }

    private void await() {
        asked = true;
        try {
            if (!done.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println("grasp-sync: it takes too long to end in order, and ends now");
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The process ends with the signal's own exit code.
        }
    }
}
