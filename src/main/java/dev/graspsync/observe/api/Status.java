package dev.graspsync.observe.api;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The whole service at a glance.
 *
 * @param mode {@code embedded} or {@code sidecar}
 * @param ownRelay the relay that is kept complete, where it is another one
 * @param actions whether a token is configured, without which nothing can be done over the API
 */
record Status(
        String name,
        String version,
        @Schema(enumeration = {"embedded", "sidecar"}) String mode,
        Optional<String> ownRelay,
        String domain,
        Instant startedAt,
        Instant now,
        boolean actions,
        Store store,
        Ingest ingest,
        Sync sync) {

    /**
     * @param events that are here, and traces of those that were
     * @param failing whether the last write failed
     */
    record Store(long events, long bytes, long diskFreeBytes, long diskBytes, boolean failing) {}

    /**
     * @param waiting events under way to the store
     * @param stored since the start, by the way they came
     * @param known offered and here already
     * @param refused since the start
     * @param perSecond stored, lately
     */
    record Ingest(int waiting, Map<String, Long> stored, long known, long refused, double perSecond) {}

    /**
     * @param phase {@code off}, {@code starting}, {@code first-sync}, {@code complete}, or {@code waiting}: what is still
     *     wanted is at relays that cannot be reached, or do not hand it out
     * @param wanted repositories and root events, counted at each relay that is named for them
     * @param confirmed those of which everything the relay has is here
     * @param secondsLeft at the present rate, until what the relays that are being read have is here
     */
    record Sync(
            boolean enabled,

            @Schema(enumeration = {"off", "starting", "first-sync", "complete", "waiting"})
            String phase,

            long wanted,
            long confirmed,
            double ratio,
            double itemsPerSecond,
            Optional<Long> secondsLeft,
            Relays relays,
            int repositories,
            int roots,
            long gaps) {}

    record Relays(int known, int connected, int degraded, int dead) {}

    /** Whether nothing happened since the other, but time passing and disks filling. */
    boolean isAs(Status other) {
        return ingest.equals(other.ingest)
                && sync.equals(other.sync)
                && actions == other.actions
                && store.events == other.store.events
                && store.failing == other.store.failing;
    }
}
