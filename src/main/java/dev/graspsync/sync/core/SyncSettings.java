package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import java.time.Duration;
import java.util.Set;

/** What an operator decides about the sync. */
public record SyncSettings(
        KnownRelays relays,
        Places places,
        Budgets budgets,
        FreshSync freshSync,
        Backoff backoff,
        Waits waits,
        Duration quickReconnectWindow,
        Comparing comparing) {

    /**
     * @param own other names of this service: never dialled
     * @param namedByAll relays that count as named by every repository: in sidecar mode the own relay
     */
    public record KnownRelays(Set<RelayUrl> own, Set<RelayUrl> bootstrap, Set<RelayUrl> namedByAll) {
        public static final KnownRelays NONE = new KnownRelays(Set.of(), Set.of(), Set.of());
    }

    /**
     * How many relays there may be.
     *
     * @param perAuthor whose repositories alone name them, once half of all places are taken
     */
    public record Places(int all, int perRepo, int perAuthor) {
        public static final Places DEFAULTS = new Places(500, 20, 50);
    }

    /** How much is asked of one relay, unless it is known to take less. */
    public record Budgets(int consolidationThreshold, int tagsPerFilter, int historyRequests) {
        public static final Budgets DEFAULTS = new Budgets(70, 100, 8);
    }

    public record FreshSync(Duration min, Duration max) {
        public static final FreshSync DEFAULTS = new FreshSync(Duration.ofHours(23), Duration.ofHours(25));
    }

    /** @param healthyAfter how long a connection has to last to count as a success */
    public record Backoff(Duration base, Duration max, Duration deadAfter, Duration deadRetry, Duration healthyAfter) {
        public static final Backoff DEFAULTS = new Backoff(
                Duration.ofSeconds(5),
                Duration.ofHours(1),
                Duration.ofHours(24),
                Duration.ofHours(24),
                Duration.ofMinutes(1));
    }

    public record Waits(
            Duration idleAfter,
            Duration rateLimitPause,
            Duration errorRetry,
            Duration finalRetry,
            Duration disconnectGrace) {
        public static final Waits DEFAULTS = new Waits(
                Duration.ofSeconds(60),
                Duration.ofSeconds(65),
                Duration.ofMinutes(2),
                Duration.ofHours(24),
                Duration.ofMinutes(2));
    }

    /** Whether relays are compared with (NIP-77), and whether what they lack is published to them. */
    public enum Comparing {
        NEVER,
        /** What one lacks is fetched from the other. */
        FETCH,
        /** What the other lacks is published to it, too. */
        FETCH_AND_PUSH
    }

    public static final SyncSettings DEFAULTS = new SyncSettings(
            KnownRelays.NONE,
            Places.DEFAULTS,
            Budgets.DEFAULTS,
            FreshSync.DEFAULTS,
            Backoff.DEFAULTS,
            Waits.DEFAULTS,
            Duration.ofMinutes(15),
            Comparing.NEVER);

    public SyncSettings with(KnownRelays known) {
        return new SyncSettings(known, places, budgets, freshSync, backoff, waits, quickReconnectWindow, comparing);
    }

    public SyncSettings with(Places most) {
        return new SyncSettings(relays, most, budgets, freshSync, backoff, waits, quickReconnectWindow, comparing);
    }

    public SyncSettings with(FreshSync drawn) {
        return new SyncSettings(relays, places, budgets, drawn, backoff, waits, quickReconnectWindow, comparing);
    }

    public SyncSettings with(Comparing how) {
        return new SyncSettings(relays, places, budgets, freshSync, backoff, waits, quickReconnectWindow, how);
    }
}
