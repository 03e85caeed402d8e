package dev.graspsync.store;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import java.util.Optional;
import java.util.function.Predicate;

/** A group of events that become durable together. Its look-ups see what it saved itself. */
public interface WriteBatch extends AutoCloseable {

    /**
     * Saves one event with replaceable, deletion and vanish semantics.
     *
     * @param reason kept with the event, 0 to 127
     * @param from kept with the event
     */
    SaveResult save(EncodedEvent event, int reason, Provenance from, long nowSeconds);

    /** The live event with this id. */
    Optional<StoredEvent> find(EventId id);

    /** The live head of a replaceable or addressable event. */
    Optional<StoredEvent> head(Address address);

    /** Whether the id is stored, or was. */
    boolean isKnown(EventId id);

    /** Whether a version of this address is stored, or was and left a trace. */
    boolean isKnown(Address address);

    /**
     * Whether a live announcement with this identifier, by another author, names the key as maintainer.
     *
     * @param counts which announcements count
     */
    boolean isMaintainer(String identifier, PublicKey pubkey, Predicate<EventFields> counts);

    /**
     * Whether a live announcement or root event tags this id or address by e, E, q, a or A.
     *
     * @param counts which of them count
     */
    boolean isMentioned(String idOrAddress, Predicate<StoredEvent> counts);

    /** Removes an event as if it had never been here: it may come back. */
    void forget(StoredEvent event);

    /**
     * Takes a repository off: its newest announcement no longer names this service. The version here goes, neither it
     * nor another older one comes back, and the new announcement itself is not served either.
     *
     * @return false where a newer version is here, which stays
     */
    boolean delist(EncodedEvent announcement, Provenance from, long nowSeconds);

    /** Makes everything durable: written and synced. A failure leaves the store as before the batch. */
    void commit();

    /** Undoes what was not committed, and lets the next batch begin. */
    @Override
    void close();
}
