package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import java.util.List;
import java.util.Set;

/**
 * What one page brought.
 *
 * @param received events on the wire that were asked for, stored or not
 * @param fresh those of them that no earlier page had brought
 * @param read in the order of the request's cursors
 * @param unasked events that match nothing that was asked
 * @param delivered what came of the ids that were asked for by id
 */
public record PageResult(int received, int fresh, List<Read> read, int unasked, Set<EventId> delivered) {

    public PageResult(int received, int fresh, List<Read> read) {
        this(received, fresh, read, 0, Set.of());
    }

    public PageResult {
        read = List.copyOf(read);
    }

    /**
     * How far one filter was read.
     *
     * @param received events that match it; 0 leaves the rest without meaning
     * @param oldest the lowest created_at among them
     * @param atOldest the ids at that second
     */
    public record Read(int received, long oldest, Set<EventId> atOldest) {}
}
