package dev.graspsync.sync.core;

import java.time.Instant;
import java.util.Optional;

/** Whether a relay is connected. Each state has what it needs and no more. */
sealed interface ConnectionState {

    /**
     * @param lostAt when the last connection ended; absent where there was none yet
     * @param lastHeard when that connection last gave a sign of life
     */
    record Disconnected(Optional<Instant> lostAt, Optional<Instant> lastHeard) implements ConnectionState {}

    /** @param before what {@link Disconnected} knew, for the time the attempt succeeds or fails */
    record Connecting(Instant since, Disconnected before) implements ConnectionState {}

    /** @param healthy whether it stayed up long enough to count as a success */
    record Connected(Instant since, boolean healthy) implements ConnectionState {}

    static Disconnected never() {
        return new Disconnected(Optional.empty(), Optional.empty());
    }
}
