package dev.graspsync.observe.api;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * One relay, as in a table.
 *
 * @param state {@code connected}, {@code connecting} or {@code disconnected}
 * @param health {@code healthy}, {@code degraded}: it failed lately, or {@code dead}: it has failed for a day
 * @param phase {@code syncing}, {@code synced}, {@code fresh-sync}: everything is asked for once more, {@code waiting}:
 *     something it did not hand out is asked for again later, or {@code unreachable}
 * @param since when it was connected, or last was
 * @param failures in a row
 * @param why the last failure or refusal in words
 * @param repositories that name it
 * @param items repositories and root events wanted of it
 * @param confirmed of those, the ones it was asked for everything about
 * @param eventsReceived ever
 * @param eventsStored since the start
 * @param gaps events found late, since the start
 * @param bytesReceived since the start, as are those sent
 * @param perMinute events received in each of the last 60 minutes, oldest first
 */
record RelayRow(
        String url,

        @Schema(enumeration = {"connected", "connecting", "disconnected"})
        String state,

        @Schema(enumeration = {"healthy", "degraded", "dead"})
        String health,

        @Schema(enumeration = {"syncing", "synced", "fresh-sync", "waiting", "unreachable"})
        String phase,

        Optional<Instant> since,
        int failures,
        Optional<Instant> nextAttempt,
        Optional<String> why,
        int repositories,
        long items,
        long confirmed,
        long eventsReceived,
        long eventsStored,
        long gaps,
        long bytesReceived,
        long bytesSent,
        List<Long> perMinute) {

    /** One page of relays, and how many there are in all. */
    record Page(int total, List<RelayRow> relays) {}
}
