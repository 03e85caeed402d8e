package dev.graspsync.observe.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.graspsync.store.Provenance;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** An event that is here, and how it came. */
record EventDetail(
        String id,
        int kind,
        String kindName,
        String pubkey,
        Instant createdAt,
        Came provenance,
        @JsonRawValue @Schema(implementation = Object.class) String event) {

    /**
     * From whom an event came first (rule 28 of the sync).
     *
     * @param way {@code direct}: published here; {@code live}; {@code first_sync}, {@code catch_up} or
     *     {@code fresh_sync}: found in a relay's history
     */
    record Came(String way, Optional<String> relay, Instant firstSeen) {

        static Came of(Provenance from, Instant firstSeen) {
            return new Came(
                    from.way().name().toLowerCase(java.util.Locale.ROOT),
                    from.relay().map(Object::toString),
                    RelayReader.rounded(firstSeen));
        }
    }
}
