package dev.graspsync.nostr;

/** What a relay says to a client (NIP-01, NIP-42, NIP-45, NIP-67). */
public sealed interface RelayMessage {

    record Event(String subscriptionId, dev.graspsync.nostr.Event event) implements RelayMessage {}

    /** All stored events the relay is willing to send have been sent. */
    record Eose(String subscriptionId, Hint hint) implements RelayMessage {}

    record Ok(EventId eventId, boolean accepted, String message) implements RelayMessage {}

    record Closed(String subscriptionId, String message) implements RelayMessage {}

    record Notice(String message) implements RelayMessage {}

    record Count(String subscriptionId, long count) implements RelayMessage {}

    record Auth(String challenge) implements RelayMessage {}

    /** NIP-67: whether stored events were left out. Its absence says nothing. */
    enum Hint {
        NONE,
        FINISH,
        MORE
    }
}
