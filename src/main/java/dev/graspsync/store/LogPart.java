package dev.graspsync.store;

import java.util.List;

/**
 * A stretch of the log of commits.
 *
 * @param events the live events in it, in the order of their commits
 * @param upTo the last seq it tells about; there may be no live event there
 * @param more whether it ended for its size, so that there may be more right after it
 */
public record LogPart(List<StoredEvent> events, long upTo, boolean more) {

    public LogPart {
        events = List.copyOf(events);
    }
}
