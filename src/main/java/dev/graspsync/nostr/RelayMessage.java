package dev.graspsync.nostr;

import java.util.OptionalLong;

/** What a relay says to a client (NIP-01, NIP-42, NIP-45, NIP-67, NIP-77). */
public sealed interface RelayMessage {

    record Event(String subscriptionId, dev.graspsync.nostr.Event event) implements RelayMessage {}

    /** All stored events the relay is willing to send have been sent. */
    record Eose(String subscriptionId, Hint hint) implements RelayMessage {}

    record Ok(EventId eventId, boolean accepted, String message) implements RelayMessage {}

    record Closed(String subscriptionId, String message) implements RelayMessage {}

    record Notice(String message) implements RelayMessage {}

    /** @param approximate there are at least that many; the relay stopped counting (NIP-45) */
    record Count(String subscriptionId, long count, boolean approximate) implements RelayMessage {}

    record Auth(String challenge) implements RelayMessage {}

    /** The answer to the last message of a comparison. */
    record NegMsg(String sessionId, NegentropyMessage message) implements RelayMessage {}

    /**
     * A comparison is refused or ended.
     *
     * @param cap the most events the relay compares, where it says so
     */
    record NegErr(String sessionId, String reason, OptionalLong cap) implements RelayMessage {}

    /** NIP-67: whether stored events were left out. Its absence says nothing. */
    enum Hint {
        NONE,
        FINISH,
        MORE
    }
}
