package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import java.time.Duration;
import java.util.Set;

/**
 * What an operator decides about the sync.
 *
 * @param ownRelays other names of this service: never dialled
 * @param maxRelaysPerAuthor whose repositories alone name them, once half of all places are taken
 * @param namedByAll relays that count as named by every repository: in sidecar mode the own relay
 */
public record SyncSettings(
        Set<RelayUrl> ownRelays,
        Set<RelayUrl> bootstrapRelays,
        Set<RelayUrl> namedByAll,
        Duration quickReconnectWindow,
        int consolidationThreshold,
        int tagsPerFilter,
        Duration freshSyncMin,
        Duration freshSyncMax,
        Duration backoffBase,
        Duration backoffMax,
        Duration deadAfter,
        Duration deadRetry,
        Duration healthyAfter,
        Duration rateLimitPause,
        Duration finalRetry,
        Duration errorRetry,
        Duration idleAfter,
        Duration disconnectGrace,
        int maxRelays,
        int maxRelaysPerRepo,
        int maxRelaysPerAuthor,
        int historyRequests,
        Comparing comparing) {

    /** Whether relays are compared with (NIP-77), and whether what they lack is published to them. */
    public enum Comparing {
        NEVER,
        /** What one lacks is fetched from the other. */
        FETCH,
        /** What the other lacks is published to it, too. */
        FETCH_AND_PUSH
    }

    public static SyncSettings defaults() {
        return new SyncSettings(
                Set.of(),
                Set.of(),
                Set.of(),
                Duration.ofMinutes(15),
                70,
                100,
                Duration.ofHours(23),
                Duration.ofHours(25),
                Duration.ofSeconds(5),
                Duration.ofHours(1),
                Duration.ofHours(24),
                Duration.ofHours(24),
                Duration.ofMinutes(1),
                Duration.ofSeconds(65),
                Duration.ofHours(24),
                Duration.ofMinutes(2),
                Duration.ofSeconds(60),
                Duration.ofMinutes(2),
                500,
                20,
                50,
                8,
                Comparing.NEVER);
    }

    public SyncSettings withOwnRelays(Set<RelayUrl> own) {
        return new SyncSettings(
                own,
                bootstrapRelays,
                namedByAll,
                quickReconnectWindow,
                consolidationThreshold,
                tagsPerFilter,
                freshSyncMin,
                freshSyncMax,
                backoffBase,
                backoffMax,
                deadAfter,
                deadRetry,
                healthyAfter,
                rateLimitPause,
                finalRetry,
                errorRetry,
                idleAfter,
                disconnectGrace,
                maxRelays,
                maxRelaysPerRepo,
                maxRelaysPerAuthor,
                historyRequests,
                comparing);
    }

    public SyncSettings withBootstrapRelays(Set<RelayUrl> bootstrap) {
        return new SyncSettings(
                ownRelays,
                bootstrap,
                namedByAll,
                quickReconnectWindow,
                consolidationThreshold,
                tagsPerFilter,
                freshSyncMin,
                freshSyncMax,
                backoffBase,
                backoffMax,
                deadAfter,
                deadRetry,
                healthyAfter,
                rateLimitPause,
                finalRetry,
                errorRetry,
                idleAfter,
                disconnectGrace,
                maxRelays,
                maxRelaysPerRepo,
                maxRelaysPerAuthor,
                historyRequests,
                comparing);
    }

    public SyncSettings withComparing(Comparing how) {
        return new SyncSettings(
                ownRelays,
                bootstrapRelays,
                namedByAll,
                quickReconnectWindow,
                consolidationThreshold,
                tagsPerFilter,
                freshSyncMin,
                freshSyncMax,
                backoffBase,
                backoffMax,
                deadAfter,
                deadRetry,
                healthyAfter,
                rateLimitPause,
                finalRetry,
                errorRetry,
                idleAfter,
                disconnectGrace,
                maxRelays,
                maxRelaysPerRepo,
                maxRelaysPerAuthor,
                historyRequests,
                how);
    }

    public SyncSettings withMaxRelays(int most) {
        return new SyncSettings(
                ownRelays,
                bootstrapRelays,
                namedByAll,
                quickReconnectWindow,
                consolidationThreshold,
                tagsPerFilter,
                freshSyncMin,
                freshSyncMax,
                backoffBase,
                backoffMax,
                deadAfter,
                deadRetry,
                healthyAfter,
                rateLimitPause,
                finalRetry,
                errorRetry,
                idleAfter,
                disconnectGrace,
                most,
                maxRelaysPerRepo,
                maxRelaysPerAuthor,
                historyRequests,
                comparing);
    }

    public SyncSettings withMaxRelaysPerAuthor(int most) {
        return new SyncSettings(
                ownRelays,
                bootstrapRelays,
                namedByAll,
                quickReconnectWindow,
                consolidationThreshold,
                tagsPerFilter,
                freshSyncMin,
                freshSyncMax,
                backoffBase,
                backoffMax,
                deadAfter,
                deadRetry,
                healthyAfter,
                rateLimitPause,
                finalRetry,
                errorRetry,
                idleAfter,
                disconnectGrace,
                maxRelays,
                maxRelaysPerRepo,
                most,
                historyRequests,
                comparing);
    }

    public SyncSettings withFreshSync(Duration min, Duration max) {
        return new SyncSettings(
                ownRelays,
                bootstrapRelays,
                namedByAll,
                quickReconnectWindow,
                consolidationThreshold,
                tagsPerFilter,
                min,
                max,
                backoffBase,
                backoffMax,
                deadAfter,
                deadRetry,
                healthyAfter,
                rateLimitPause,
                finalRetry,
                errorRetry,
                idleAfter,
                disconnectGrace,
                maxRelays,
                maxRelaysPerRepo,
                maxRelaysPerAuthor,
                historyRequests,
                comparing);
    }
}
