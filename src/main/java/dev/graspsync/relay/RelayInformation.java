package dev.graspsync.relay;

import java.util.List;
import java.util.stream.Collectors;

/** The NIP-11 document: what the relay is, and the limits it enforces. */
final class RelayInformation {

    private static final List<Integer> NIPS = List.of(1, 9, 11, 34, 40, 45, 62, 67);

    private RelayInformation() {}

    static String json(RelayConfig config) {
        RelayConfig.Limits limits = config.relay();
        return """
                {"name":"grasp-sync","description":"A NIP-34 relay for the git repositories announced to %s",\
                "supported_nips":[%s],\
                "supported_grasps":["GRASP-01"],"repo_acceptance_criteria":"%s",\
                "limitation":{"max_message_length":%d,"max_subscriptions":%d,"max_filters":%d,"max_limit":%d,\
                "default_limit":%d,"max_subid_length":%d,"auth_required":false,"payment_required":false,\
                "restricted_writes":true}}
                """.formatted(
                        config.domain(),
                        NIPS.stream().map(String::valueOf).collect(Collectors.joining(",")),
                        criteria(config),
                        limits.maxMessageLength(),
                        limits.maxSubscriptions(),
                        limits.maxFilters(),
                        limits.maxLimit(),
                        limits.maxLimit(),
                        limits.maxSubidLength());
    }

    private static String criteria(RelayConfig config) {
        return switch (config.acceptance()) {
            case HOSTED -> "announcements that list this service in relays and clone";
            case RELAYS -> "announcements that list this service in relays";
            case ARCHIVE -> "every announcement";
        };
    }
}
