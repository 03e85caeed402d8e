package dev.graspsync.store;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import java.util.List;
import java.util.Optional;

/**
 * The events this relay holds. Calls may block on the disk: they belong on worker threads. Reads see committed events
 * only and may run beside the one writer.
 */
public interface EventStore extends AutoCloseable {

    /** Begins the one batch that may be open at a time; waits for the one before. */
    WriteBatch begin();

    /** Whether this id needs no second look: it is stored, or was and has been superseded, deleted or expired. */
    boolean isKnown(EventId id);

    Optional<StoredEvent> find(EventId id);

    /** What is left of an event that was here; absent where it is here, never was, or was truly removed (NIP-62). */
    Optional<GoneEvent> whyGone(EventId id);

    /** The newest version of an address that is gone, as far as the index still knows of it. */
    Optional<GoneEvent> whyGone(Address address);

    /** The newest announcement that took a repository off this service; a newer one may have brought it back. */
    Optional<GoneEvent> delisting(Address repo);

    /** Events that are here, and the traces of those that were. */
    long size();

    /**
     * Opens a query.
     *
     * @param maxLimit the limit of each filter that has none or a higher one
     * @param nowSeconds what expired by then is left out (NIP-40)
     */
    EventCursor query(List<Filter> filters, int maxLimit, long nowSeconds);

    /**
     * The log of commits from {@code fromSeq} on.
     *
     * @param most events
     * @param mostBytes of memory for them; one event comes however large it is
     */
    LogPart tail(long fromSeq, int most, long mostBytes);

    /** The seq of the newest committed event, 0 where there is none. */
    long lastSeq();

    /** Removes what has expired (NIP-40), at most {@code most} events; returns how many it removed. */
    int removeExpired(long nowSeconds, int most);

    /** A bounded piece of housekeeping; returns whether there is more to do. */
    boolean maintain();

    @Override
    void close();
}
