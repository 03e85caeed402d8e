package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RepoAddress;

/** One thing to ask a relay about. */
sealed interface Item {

    /** Layer 1: all announcements and states a relay has. */
    record Announcements() implements Item {}

    /** Layer 2: what tags a repository. */
    record Repo(RepoAddress address) implements Item {}

    /** Layer 3: what tags a root event. */
    record Root(EventId id) implements Item {}

    /** Layer 4: what an accepted event names. */
    record Named(Reference reference) implements Item {}

    default Layer layer() {
        return switch (this) {
            case Announcements all -> Layer.ANNOUNCEMENTS;
            case Repo repo -> Layer.REPOSITORIES;
            case Root root -> Layer.ROOT_EVENTS;
            case Named named -> Layer.REFERENCES;
        };
    }

    /** Whether new events about it can come at any time: a named event is there or not. */
    default boolean isLive() {
        return !(this instanceof Named);
    }
}
