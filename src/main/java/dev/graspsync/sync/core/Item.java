package dev.graspsync.sync.core;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
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

    /** A number for this item, evenly spread, so that sums of such numbers tell sets apart. */
    default long digest() {
        return switch (this) {
            case Announcements all -> 1;
            case Repo(RepoAddress address) -> digest(address.pubkey(), address.identifier());
            case Root(EventId id) -> mix(mix(id.a()) ^ id.b());
            case Named(Reference.ByAddress(Address address)) ->
                mix(digest(address.pubkey(), address.identifier()) ^ address.kind());
            case Named(Reference.ById(EventId id)) -> mix(mix(id.b()) ^ id.a());
        };
    }

    private static long digest(PublicKey key, String identifier) {
        long digest = mix(mix(key.a()) ^ key.b());
        for (int i = 0; i < identifier.length(); i++) {
            digest = mix(digest ^ identifier.charAt(i));
        }
        return digest;
    }

    private static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 32)) * 0xd6e8feb86659fd93L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xd6e8feb86659fd93L;
        return mixed ^ (mixed >>> 32);
    }

    /** Whether it is wanted as long as its repository: a reference by id only until the event is here. */
    default boolean isLasting() {
        return !(this instanceof Named(Reference.ById id));
    }

    /** Whether new events about it can come at any time: a named event is there or not. */
    default boolean isLive() {
        return !(this instanceof Named);
    }
}
