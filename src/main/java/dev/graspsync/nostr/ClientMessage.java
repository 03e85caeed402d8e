package dev.graspsync.nostr;

import java.util.List;

/** What a client says to a relay (NIP-01, NIP-42, NIP-45, NIP-77). */
public sealed interface ClientMessage {

    /** NIP-01: characters of a subscription id. */
    int MAX_SUBSCRIPTION_ID = 64;

    /** Publish this. */
    record Event(dev.graspsync.nostr.Event event) implements ClientMessage {}

    /** Send what matches any of the filters, stored and live. */
    record Req(String subscriptionId, List<Filter> filters) implements ClientMessage {
        public Req {
            filters = List.copyOf(filters);
        }
    }

    /** End this subscription. */
    record Close(String subscriptionId) implements ClientMessage {}

    /** How many events match? */
    record Count(String subscriptionId, List<Filter> filters) implements ClientMessage {
        public Count {
            filters = List.copyOf(filters);
        }
    }

    /** This signed answer to the relay's challenge says who I am. */
    record Auth(dev.graspsync.nostr.Event event) implements ClientMessage {}

    /** Compare what matches the filter on both sides. These ids are a namespace apart from subscriptions. */
    record NegOpen(String sessionId, Filter filter, NegentropyMessage message) implements ClientMessage {}

    /** Go on comparing. */
    record NegMsg(String sessionId, NegentropyMessage message) implements ClientMessage {}

    /** End this comparison. */
    record NegClose(String sessionId) implements ClientMessage {}
}
