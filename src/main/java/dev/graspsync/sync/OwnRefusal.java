package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
import java.time.Instant;

/** That the own relay, where it is another one (sidecar mode), did not take an event that others have. */
public record OwnRefusal(RelayUrl relay, String why, Instant at) {}
