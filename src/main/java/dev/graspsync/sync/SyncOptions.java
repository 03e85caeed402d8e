package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.SecretKey;
import dev.graspsync.sync.core.SyncSettings;
import dev.graspsync.sync.core.SyncSettings.Backoff;
import dev.graspsync.sync.core.SyncSettings.Budgets;
import dev.graspsync.sync.core.SyncSettings.Comparing;
import dev.graspsync.sync.core.SyncSettings.FreshSync;
import dev.graspsync.sync.core.SyncSettings.KnownRelays;
import dev.graspsync.sync.core.SyncSettings.Places;
import dev.graspsync.sync.core.SyncSettings.Waits;
import io.vertx.core.net.TrustOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration, checked and in the types the sync works with.
 *
 * @param batchWindow for the SelfSubscriber
 * @param trust absent: the platform's certificate authorities
 * @param secretKey absent: the one in the data folder
 */
record SyncOptions(
        boolean enabled,
        SyncSettings settings,
        ConnectionLimits connection,
        TargetRules targets,
        Optional<TrustOptions> trust,
        Duration batchWindow,
        Duration disconnectCheckInterval,
        Optional<RelayUrl> ownRelay,
        Optional<SecretKey> secretKey) {

    private static final String PREFIX = "grasp.sync.";
    private static final int LEAST_MESSAGE = 64 << 10;
    private static final int MOST_MESSAGE = 64 << 20;

    /** An {@link IllegalArgumentException} says in one line which key is wrong, and why. */
    static SyncOptions of(SyncConfig config, Optional<String> ownRelay) {
        Optional<RelayUrl> own = ownRelay.map(SyncOptions::ownRelay);
        return new SyncOptions(
                config.enabled(),
                settings(config, own),
                connection(config),
                new TargetRules(
                        config.allowPrivateTargets(),
                        atLeast(1, "max-relays-per-address", config.maxRelaysPerAddress())),
                config.trust().map(SyncOptions::trust),
                positive("batch-window", config.batchWindow()),
                positive("disconnect-check-interval", config.disconnectCheckInterval()),
                own,
                config.secretKey().map(SyncOptions::secretKey));
    }

    private static TrustOptions trust(Path pem) {
        try {
            return TrustedAuthorities.with(pem);
        } catch (IllegalArgumentException unusable) {
            throw wrong("trust", String.valueOf(unusable.getMessage()));
        }
    }

    private static SyncSettings settings(SyncConfig config, Optional<RelayUrl> ownRelay) {
        SyncConfig.FreshSync fresh = config.freshSync();
        ordered("fresh-sync.min", fresh.min(), "fresh-sync.max", fresh.max());
        return new SyncSettings(
                new KnownRelays(
                        Set.of(),
                        bootstrap(config.bootstrapRelays().orElse(List.of())),
                        ownRelay.map(Set::of).orElse(Set.of())),
                new Places(
                        atLeast(1, "max-relays", config.maxRelays()),
                        atLeast(1, "max-relays-per-repo", config.maxRelaysPerRepo()),
                        atLeast(1, "max-relays-per-author", config.maxRelaysPerAuthor())),
                new Budgets(
                        atLeast(1, "consolidation-threshold", config.consolidationThreshold()),
                        atLeast(1, "tags-per-filter", config.tagsPerFilter()),
                        Budgets.DEFAULTS.historyRequests()),
                new FreshSync(fresh.min(), fresh.max()),
                backoff(config.backoff()),
                Waits.DEFAULTS,
                positive("quick-reconnect-window", config.quickReconnectWindow()),
                comparing(config));
    }

    private static Backoff backoff(SyncConfig.Backoff config) {
        ordered("backoff.base", config.base(), "backoff.max", config.max());
        return new Backoff(
                config.base(),
                config.max(),
                positive("backoff.dead-after", config.deadAfter()),
                positive("backoff.dead-retry", config.deadRetry()),
                Backoff.DEFAULTS.healthyAfter());
    }

    private static Comparing comparing(SyncConfig config) {
        if (config.push() && !config.negentropy()) {
            throw wrong("push", "what a relay lacks is told by " + PREFIX + "negentropy, which is off");
        }
        if (config.push()) {
            return Comparing.FETCH_AND_PUSH;
        }
        return config.negentropy() ? Comparing.FETCH : Comparing.NEVER;
    }

    private static RelayUrl ownRelay(String url) {
        return RelayUrl.parse(url.strip())
                .orElseThrow(() -> new IllegalArgumentException(
                        "grasp.own-relay.url: \"" + FailureReason.line(url) + "\" is not a ws:// or wss:// URL"));
    }

    private static ConnectionLimits connection(SyncConfig config) {
        ConnectionLimits defaults = ConnectionLimits.DEFAULTS;
        int length = atLeast(LEAST_MESSAGE, "max-message-length", config.maxMessageLength());
        if (length > MOST_MESSAGE) {
            throw wrong("max-message-length", length + " is above " + MOST_MESSAGE);
        }
        return new ConnectionLimits(
                defaults.connectTimeout(),
                defaults.hintsTimeout(),
                defaults.pingInterval(),
                length,
                defaults.maxOutboundBytes(),
                config.compression());
    }

    private static Set<RelayUrl> bootstrap(List<String> urls) {
        Set<RelayUrl> relays = new LinkedHashSet<>();
        for (String url : urls) {
            relays.add(RelayUrl.parse(url.strip())
                    .orElseThrow(() -> wrong(
                            "bootstrap-relays", "\"" + FailureReason.line(url) + "\" is not a ws:// or wss:// URL")));
        }
        return relays;
    }

    /** Not repeated in the message: it is a secret even where it is misspelt. */
    private static SecretKey secretKey(String hex) {
        return SecretKey.parse(hex.strip()).orElseThrow(() -> wrong("secret-key", "not a secret key of 64 hex digits"));
    }

    private static Duration positive(String key, Duration value) {
        if (!value.isPositive()) {
            throw wrong(key, value + " is not a positive duration");
        }
        return value;
    }

    private static void ordered(String lowKey, Duration low, String highKey, Duration high) {
        positive(lowKey, low);
        positive(highKey, high);
        if (low.compareTo(high) > 0) {
            throw wrong(lowKey, low + " is above " + PREFIX + highKey + ", which is " + high);
        }
    }

    private static int atLeast(int least, String key, int value) {
        if (value < least) {
            throw wrong(key, value + " is below " + least);
        }
        return value;
    }

    private static IllegalArgumentException wrong(String key, String why) {
        return new IllegalArgumentException(PREFIX + key + ": " + why);
    }
}
