package dev.graspsync.relay;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What an operator sets about the relay itself. */
@ConfigMapping(prefix = "grasp")
public interface RelayConfig {

    /** host[:port] by which announcements name this service. */
    @WithDefault("localhost:8080")
    String domain();

    /** The embedded store's folder. */
    @WithName("data-dir")
    @WithDefault("data")
    Path dataDir();

    /**
     * {@code hosted}: announcements must list this service in {@code relays} and {@code clone}; {@code relays}: in
     * {@code relays} only; {@code archive}: all announcements.
     */
    @WithDefault("hosted")
    AcceptanceMode acceptance();

    /** Limits; those that NIP-11 has a name for are advertised there. */
    Limits relay();

    /** The limits the relay enforces. */
    interface Limits {

        /** Bytes of a message from a client. */
        @WithName("max-message-length")
        @WithDefault("524288")
        int maxMessageLength();

        /** Open subscriptions of a connection. */
        @WithName("max-subscriptions")
        @WithDefault("300")
        int maxSubscriptions();

        /** Filters of a REQ or COUNT. */
        @WithName("max-filters")
        @WithDefault("200")
        int maxFilters();

        /** Events compared in one NIP-77 session; a filter that matches more is refused with this number. */
        @WithName("max-negentropy-events")
        @WithDefault("500000")
        int maxNegentropyEvents();

        /** Stored events a filter is answered with at the most, also where it names no limit. */
        @WithName("max-limit")
        @WithDefault("5000")
        int maxLimit();

        /** How far ahead of this machine's clock {@code created_at} may be. */
        @WithName("created-at-upper-limit")
        @WithDefault("15m")
        Duration createdAtUpperLimit();

        /** How far back {@code created_at} may be; absent: as far as one likes. */
        @WithName("created-at-lower-limit")
        Optional<Duration> createdAtLowerLimit();

        /** Connections of all clients together; one more is answered with 503. */
        @WithName("max-connections")
        @WithDefault("10000")
        int maxConnections();

        /**
         * A client that takes nothing for this long, though there is something for it, is cut off. What is stored has to
         * be taken within ten times as long.
         */
        @WithName("reader-timeout")
        @WithDefault("60s")
        Duration readerTimeout();

        /** A client silent for this long is pinged, and cut off if it stays silent for the reader timeout. */
        @WithName("ping-interval")
        @WithDefault("60s")
        Duration pingInterval();
    }
}
