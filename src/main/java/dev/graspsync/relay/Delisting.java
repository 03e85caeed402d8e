package dev.graspsync.relay;

import dev.graspsync.nostr.RepoAddress;

/** An announcement of this second took its repository off the service. */
public record Delisting(RepoAddress repo, long createdAt) {}
