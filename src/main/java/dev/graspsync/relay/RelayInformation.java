package dev.graspsync.relay;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.wire.JsonObject;
import java.util.List;

/** The NIP-11 document: what the relay is, and the limits it enforces. */
final class RelayInformation {

    private static final List<Integer> NIPS = List.of(1, 9, 11, 34, 40, 42, 45, 62, 67, 70, 77);

    private RelayInformation() {}

    static byte[] json(RelayConfig config) {
        return new JsonObject()
                .with("name", "grasp-sync")
                .with("description", "A NIP-34 relay for the git repositories announced to " + config.domain())
                .withNumbers("supported_nips", NIPS)
                .withStrings("supported_grasps", List.of("GRASP-01"))
                .with("repo_acceptance_criteria", criteria(config))
                .with("limitation", limitation(config.relay()))
                .toBytes();
    }

    private static JsonObject limitation(RelayConfig.Limits limits) {
        JsonObject limitation = new JsonObject()
                .with("max_message_length", limits.maxMessageLength())
                .with("max_subscriptions", limits.maxSubscriptions())
                .with("max_limit", limits.maxLimit())
                .with("default_limit", limits.maxLimit())
                .with("max_subid_length", ClientMessage.MAX_SUBSCRIPTION_ID)
                .with("created_at_upper_limit", limits.createdAtUpperLimit().toSeconds())
                .with("auth_required", false)
                .with("payment_required", false)
                .with("restricted_writes", true);
        limits.createdAtLowerLimit().ifPresent(oldest -> limitation.with("created_at_lower_limit", oldest.toSeconds()));
        return limitation;
    }

    private static String criteria(RelayConfig config) {
        return switch (config.acceptance()) {
            case HOSTED -> "announcements that list this service in relays and clone";
            case RELAYS -> "announcements that list this service in relays";
            case ARCHIVE -> "every announcement";
        };
    }
}
