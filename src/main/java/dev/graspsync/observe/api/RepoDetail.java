package dev.graspsync.observe.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One repository, and how far it is read from each relay. */
record RepoDetail(
        @JsonUnwrapped RepoRow repo, Optional<String> description, Instant announcedAt, List<AtRelay> relayMatrix) {

    /** @param last how the last question about it ended, as in a relay's layers */
    record AtRelay(
            String relay,
            Optional<String> state,
            Optional<String> health,
            int items,
            int confirmed,
            int percent,
            Optional<String> last,
            Optional<String> reason) {}
}
