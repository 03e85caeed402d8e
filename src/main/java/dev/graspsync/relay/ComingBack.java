package dev.graspsync.relay;

import io.vertx.core.Context;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Brings what was done elsewhere back to a connection's event loop. A commit finishes thousands of events at once: their
 * answers come back together, and other connections on the event loop have their turn in between.
 */
final class ComingBack {

    private static final int AT_ONCE = 256;

    private final Context context;
    private final Runnable afterwards;
    private final Queue<Runnable> finished = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean onItsWay = new AtomicBoolean();

    /** @param afterwards called on the event loop after some have come back */
    ComingBack(Context context, Runnable afterwards) {
        this.context = context;
        this.afterwards = afterwards;
    }

    /** Called on any thread. */
    void add(Runnable answer) {
        finished.add(answer);
        if (!onItsWay.getAndSet(true)) {
            context.runOnContext(none -> run());
        }
    }

    private void run() {
        // Before looking: what is added after the last look then comes back by itself.
        onItsWay.set(false);
        int left = AT_ONCE;
        Runnable answer;
        while (left-- > 0 && (answer = finished.poll()) != null) {
            answer.run();
        }
        afterwards.run();
        if (!finished.isEmpty() && !onItsWay.getAndSet(true)) {
            context.runOnContext(none -> run());
        }
    }
}
