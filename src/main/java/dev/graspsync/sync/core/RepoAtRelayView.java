package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import java.util.Optional;

/**
 * How far one repository is synced from one relay.
 *
 * @param leftOut the repository names the relay, and there was no room for it
 */
public record RepoAtRelayView(
        RepoAddress repo,
        RelayUrl relay,
        boolean leftOut,
        int items,
        int confirmed,
        int pending,
        Optional<LastOutcome> last) {}
