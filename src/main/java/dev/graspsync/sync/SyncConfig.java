package dev.graspsync.sync;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What an operator sets about the sync with other relays. {@link SyncOptions} checks it. */
@ConfigMapping(prefix = "grasp.sync")
public interface SyncConfig {

    /** Whether to sync at all; without it this is a relay like others. */
    @WithDefault("true")
    boolean enabled();

    /** Relays that are asked for announcements whoever names them, and never disconnected. */
    @WithName("bootstrap-relays")
    Optional<List<String>> bootstrapRelays();

    /** How long events of the own relay are gathered at most before they are acted on; starts at the first, does not reset. */
    @WithName("batch-window")
    @WithDefault("5s")
    Duration batchWindow();

    /** A connection lost for no longer than this is caught up with; after it, all is asked for again. */
    @WithName("quick-reconnect-window")
    @WithDefault("15m")
    Duration quickReconnectWindow();

    /** Filters open on a connection beyond which they are put together anew. */
    @WithName("consolidation-threshold")
    @WithDefault("70")
    int consolidationThreshold();

    /** Values of a tag in one filter. */
    @WithName("tags-per-filter")
    @WithDefault("100")
    int tagsPerFilter();

    /** How often to look for relays that nobody names any more. */
    @WithName("disconnect-check-interval")
    @WithDefault("60s")
    Duration disconnectCheckInterval();

    /** When to ask a relay for everything again. */
    @WithName("fresh-sync")
    FreshSync freshSync();

    /** How long to leave a failing relay alone. */
    Backoff backoff();

    /**
     * Whether to connect to loopback, private, link-local and metadata addresses. Anybody who can announce a repository
     * chooses what is connected to: for tests and closed networks only.
     */
    @WithName("allow-private-targets")
    @WithDefault("false")
    boolean allowPrivateTargets();

    /** Relays connected to at a time. */
    @WithName("max-relays")
    @WithDefault("500")
    int maxRelays();

    /** Relays taken from one repository's announcement. */
    @WithName("max-relays-per-repo")
    @WithDefault("20")
    int maxRelaysPerRepo();

    /** Relays one author's repositories may bring, once half of all places are taken: the rest is for the others. */
    @WithName("max-relays-per-author")
    @WithDefault("50")
    int maxRelaysPerAuthor();

    /** Connections to one public address at a time, whatever names lead to it. */
    @WithName("max-relays-per-address")
    @WithDefault("20")
    int maxRelaysPerAddress();

    /** Bytes of a message from a relay; one that sends more is disconnected. */
    @WithName("max-message-length")
    @WithDefault("2097152")
    int maxMessageLength();

    /** Whether to offer relays permessage-deflate: fewer bytes for much more work. */
    @WithDefault("false")
    boolean compression();

    /** Whether to compare with relays first (NIP-77), so that catching up costs what is missing; pages where they cannot. */
    @WithDefault("true")
    boolean negentropy();

    /** Whether to publish to relays what comparing says they lack of the repositories that name them. */
    @WithDefault("false")
    boolean push();

    /** A PEM file of certificate authorities that are trusted for wss relays beside the platform's own. */
    Optional<Path> trust();

    /** The key, 64 hex digits, by which relays that want to know (NIP-42) know this service; absent: made once and kept. */
    @WithName("secret-key")
    Optional<String> secretKey();

    /** A time drawn for each relay between the two. */
    interface FreshSync {

        /** The least time between fresh syncs of a relay. */
        @WithDefault("23h")
        Duration min();

        /** The most time between fresh syncs of a relay. */
        @WithDefault("25h")
        Duration max();
    }

    /** Doubling from the base to the most, jittered. */
    interface Backoff {

        /** The wait after the first failure. */
        @WithDefault("5s")
        Duration base();

        /** The most to wait between attempts. */
        @WithDefault("1h")
        Duration max();

        /** How long a relay has to fail to count as dead. */
        @WithName("dead-after")
        @WithDefault("24h")
        Duration deadAfter();

        /** The wait between attempts to connect to a dead relay. */
        @WithName("dead-retry")
        @WithDefault("24h")
        Duration deadRetry();
    }
}
