package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Tag;
import java.util.ArrayList;
import java.util.List;

/** An event as the policy sees it, with ids and keys that are small numbers. */
record SampleEvent(EventId id, PublicKey pubkey, long createdAt, int kind, List<Tag> tags) implements EventFields {

    static final PublicKey ALICE = new PublicKey(1, 2, 3, 4);
    static final PublicKey BOB = new PublicKey(5, 6, 7, 8);
    static final PublicKey CAROL = new PublicKey(9, 10, 11, 12);

    static SampleEvent event(int number, PublicKey author, int kind, Tag... tags) {
        return new SampleEvent(id(number), author, 1_700_000_000L, kind, List.of(tags));
    }

    static SampleEvent announcement(int number, PublicKey author, String identifier, Tag... tags) {
        List<Tag> all = new ArrayList<>(List.of(tags));
        all.addFirst(Tag.of("d", identifier));
        return event(number, author, Kind.REPO_ANNOUNCEMENT, all.toArray(Tag[]::new));
    }

    static EventId id(int number) {
        return new EventId(0, 0, 0, number);
    }

    static String repo(PublicKey author, String identifier) {
        return new Address(Kind.REPO_ANNOUNCEMENT, author, identifier).toString();
    }
}
