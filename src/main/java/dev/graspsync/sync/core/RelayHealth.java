package dev.graspsync.sync.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How well connecting to a relay went lately (rule 24).
 *
 * @param failures in a row
 * @param failingSince the first of them
 * @param nextAttempt not before then
 */
public record RelayHealth(int failures, Optional<Instant> failingSince, Instant nextAttempt) {

    /** For people and metrics. */
    public enum Status {
        HEALTHY,
        DEGRADED,
        DEAD
    }

    private static final int MOST_DOUBLINGS = 30;

    static final RelayHealth HEALTHY = new RelayHealth(0, Optional.empty(), Instant.MIN);

    RelayHealth failed(Instant now, SyncSettings settings, Jitter jitter) {
        Instant since = failingSince.orElse(now);
        RelayHealth next = new RelayHealth(failures + 1, Optional.of(since), now);
        Duration wait = next.isDead(now, settings) ? settings.backoff().deadRetry() : next.backoff(settings);
        return new RelayHealth(next.failures, next.failingSince, now.plus(jitter.around(wait)));
    }

    private Duration backoff(SyncSettings settings) {
        int doublings = Math.min(failures - 1, MOST_DOUBLINGS);
        Duration wait = settings.backoff().base().multipliedBy(1L << doublings);
        return wait.compareTo(settings.backoff().max()) > 0 ? settings.backoff().max() : wait;
    }

    boolean isDead(Instant now, SyncSettings settings) {
        return isDead(failingSince, now, settings.backoff().deadAfter());
    }

    Status status(Instant now, SyncSettings settings) {
        return status(failures, failingSince, now, settings.backoff().deadAfter());
    }

    static Status status(int failures, Optional<Instant> failingSince, Instant now, Duration deadAfter) {
        if (failures == 0) {
            return Status.HEALTHY;
        }
        return isDead(failingSince, now, deadAfter) ? Status.DEAD : Status.DEGRADED;
    }

    private static boolean isDead(Optional<Instant> failingSince, Instant now, Duration deadAfter) {
        return failingSince
                .filter(since -> Duration.between(since, now).compareTo(deadAfter) >= 0)
                .isPresent();
    }
}
