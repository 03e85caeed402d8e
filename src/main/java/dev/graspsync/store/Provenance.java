package dev.graspsync.store;

import dev.graspsync.nostr.RelayUrl;
import java.util.Optional;

/** From whom and by which way an event came (rule 28). */
public record Provenance(Way way, Optional<RelayUrl> relay) {

    /** The ways an event can come. Their order is part of the file format. */
    public enum Way {
        /** A client published it here. */
        DIRECT,
        /** From a relay, as it happened. */
        LIVE,
        /** From a relay's history, asked for the first time. */
        FIRST_SYNC,
        /** From a relay's history after a connection was lost. */
        CATCH_UP,
        /** From a relay's history, asked for once more. */
        FRESH_SYNC;

        /** What the live side should have brought and did not. */
        public boolean isGap() {
            return this == CATCH_UP || this == FRESH_SYNC;
        }
    }

    public static final Provenance DIRECT = new Provenance(Way.DIRECT, Optional.empty());

    public static Provenance from(RelayUrl relay, Way way) {
        return new Provenance(way, Optional.of(relay));
    }
}
