package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import java.util.List;

/** What is to be seen anew since the engine was last looked at. */
public record EngineChanges(
        EngineView engine,
        List<RelayView> relays,
        List<RelayUrl> relaysGone,
        List<RepoView> repos,
        List<RepoAddress> reposGone) {

    public EngineChanges {
        relays = List.copyOf(relays);
        relaysGone = List.copyOf(relaysGone);
        repos = List.copyOf(repos);
        reposGone = List.copyOf(reposGone);
    }
}
