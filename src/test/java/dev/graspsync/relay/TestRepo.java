package dev.graspsync.relay;

import static dev.graspsync.TestKeys.ALICE;
import static dev.graspsync.TestKeys.BOB;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A repository of Alice's. Tests that share a relay have one each, so that they do not meet. */
record TestRepo(String identifier) {

    static final long NOON = 1_700_000_000;

    TestRepo() {
        this("repo-" + UUID.randomUUID());
    }

    String address() {
        return "30617:" + ALICE.pubkey().hex() + ":" + identifier;
    }

    Event announcement() {
        return ALICE.sign(
                30617,
                NOON,
                List.of(
                        Tag.of("d", identifier),
                        Tag.of("relays", "wss://relay.example"),
                        Tag.of("clone", "https://relay.example/npub1alice/" + identifier + ".git")),
                "");
    }

    Event issue(long createdAt, Tag... more) {
        return by(BOB, 1621, createdAt, more);
    }

    /** An event of any kind that names the repository. */
    Event by(TestKeys author, int kind, long createdAt, Tag... more) {
        List<Tag> tags = new ArrayList<>(List.of(more));
        tags.addFirst(Tag.of("a", address()));
        return author.sign(kind, createdAt, tags, "it breaks");
    }

    /** What names the repository. */
    Filter filter() {
        return Filter.ALL.withTag("a", Set.of(address()));
    }
}
