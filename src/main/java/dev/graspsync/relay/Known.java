package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import java.util.Optional;
import java.util.function.Predicate;

/** What the policy asks about what was accepted before. */
public interface Known {

    /** Why the stored event with this id was accepted; absent if it is not stored. */
    Optional<Verdict.Reason> reasonOf(EventId id);

    boolean hasAnnouncement(Address repo);

    /**
     * Whether an accepted announcement with this {@code d}, by <em>another</em> author, lists the author in
     * {@code maintainers}. Owners usually list themselves too; did that count, no owner could ever delist a repository.
     *
     * @param vouching which announcements count
     */
    boolean isMaintainer(String identifier, PublicKey author, Predicate<EventFields> vouching);

    /** Whether an accepted announcement or root event names the id or the address by e, E, q, a or A. */
    boolean isMentioned(EventId id, Optional<Address> address);

    /** Whether the event is stored, or was and has been deleted. */
    boolean wasHere(EventId id);

    /** Whether an event with this address is stored, or was and has been deleted. */
    boolean wasHere(Address address);
}
