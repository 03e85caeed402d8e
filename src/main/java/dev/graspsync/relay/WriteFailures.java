package dev.graspsync.relay;

import dev.graspsync.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jboss.logging.Logger;

/** Tells the operator that the store refuses events: at once, then once a minute, and when it is over. */
final class WriteFailures {

    private static final Logger LOG = Logger.getLogger(WriteFailures.class);
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final InstantSource clock;
    private Instant silentUntil = Instant.MIN;
    private volatile boolean failing;
    private long refused;

    WriteFailures(InstantSource clock) {
        this.clock = clock;
    }

    void failed(int events, StoreFailure failure) {
        failing = true;
        refused += events;
        Instant now = clock.instant();
        if (now.isBefore(silentUntil)) {
            return;
        }
        silentUntil = now.plus(AGAIN);
        LOG.errorf("%d events were refused: %s", refused, failure.getMessage());
        refused = 0;
    }

    boolean isFailing() {
        return failing;
    }

    void succeeded() {
        if (failing) {
            failing = false;
            refused = 0;
            silentUntil = Instant.MIN;
            LOG.info("The store takes events again");
        }
    }
}
