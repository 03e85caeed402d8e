package dev.graspsync.relay;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.nio.file.Path;

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

    /** Limits, as NIP-11 advertises them. */
    Limits relay();

    /** The limits the relay advertises and enforces. */
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

        /** Stored events a filter is answered with at the most, also where it names no limit. */
        @WithName("max-limit")
        @WithDefault("5000")
        int maxLimit();

        /** Characters of a subscription id. */
        @WithName("max-subid-length")
        @WithDefault("64")
        int maxSubidLength();
    }
}
