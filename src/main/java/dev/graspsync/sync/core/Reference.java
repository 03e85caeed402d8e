package dev.graspsync.sync.core;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;

/** What an accepted event names and the own relay lacks: asked for by layer 4. */
public sealed interface Reference {

    record ById(EventId id) implements Reference {}

    record ByAddress(Address address) implements Reference {}
}
