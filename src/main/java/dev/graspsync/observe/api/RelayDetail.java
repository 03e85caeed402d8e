package dev.graspsync.observe.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Everything about one relay.
 *
 * @param negentropy whether it can be compared with by NIP-77: {@code yes}, {@code no} or {@code unknown}
 * @param dropped what it sent in vain, since the start
 * @param bootstrap whether the configuration names it, so that it is never disconnected
 * @param quietUntil it limits how fast it may be asked, and is left alone until then
 * @param repos the first of the repositories that name it
 */
record RelayDetail(
        @JsonUnwrapped RelayRow relay,
        List<LayerRow> layers,
        Budget budget,
        @Schema(enumeration = {"yes", "no", "unknown"}) String negentropy,
        Reliability reliability,
        Dropped dropped,
        Optional<Instant> freshSyncDue,
        Optional<Instant> lastConnected,
        Optional<Instant> quietUntil,
        boolean bootstrap,
        List<RepoAtRelay> repos) {

    /**
     * How far one sort of question is answered.
     *
     * @param pending asked for at the moment
     * @param last how the last question ended: {@code drained}, {@code capped}, {@code closed}, {@code auth-needed},
     *     {@code idle}, {@code lost}, {@code unreconciled}: comparing did not work out, and it is asked page by page, or
     *     {@code delayed}: this service had no room for it
     */
    record LayerRow(
            int layer,
            String name,
            int items,
            int confirmed,
            int pending,

            @Schema(
                    enumeration = {
                        "drained",
                        "capped",
                        "closed",
                        "auth-needed",
                        "idle",
                        "lost",
                        "unreconciled",
                        "delayed"
                    })
            Optional<String> last,

            Optional<String> reason) {}

    /** How much it takes at once, as its refusals taught; {@code limit} 0 leaves the length of a page to it. */
    record Budget(int subscriptions, int filters, int values, int bytes, int limit) {}

    /** Counted since the relay was first named; {@code uptime} from 0 to 1. */
    record Reliability(long attempts, long failures, long upSeconds, long downSeconds, double uptime) {}

    /**
     * Counted since the start; too many unasked, malformed or forged ones end the connection.
     *
     * @param unasked events that match no filter it was asked
     * @param malformed messages that are none
     * @param forged events whose id or signature is wrong
     * @param refused events that the rules are against: no fault of the relay
     */
    record Dropped(long unasked, long malformed, long forged, long refused) {}

    record RepoAtRelay(String address, String name, int items, int confirmed) {}
}
