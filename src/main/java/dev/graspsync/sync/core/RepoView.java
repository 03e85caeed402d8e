package dev.graspsync.sync.core;

import dev.graspsync.nostr.RepoAddress;

/**
 * A repository as it was when the engine last looked.
 *
 * @param roots root events that tag it
 * @param relays that its announcement names, and for which there was room
 * @param leftOut relays it names for which there was no room
 * @param items wanted of all its relays together
 * @param confirmed of them
 */
public record RepoView(RepoAddress repo, int roots, int relays, int leftOut, long items, long confirmed) {

    public boolean isComplete() {
        return leftOut == 0 && confirmed >= items;
    }
}
