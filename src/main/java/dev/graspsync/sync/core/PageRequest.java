package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import java.util.List;
import java.util.Set;

/** One REQ of a history: a filter each with how far it has been read. */
public record PageRequest(List<Cursor> cursors) {

    private static final Set<Integer> LAYER_ONE = Set.of(Kind.REPO_ANNOUNCEMENT, Kind.REPO_STATE);

    public PageRequest {
        cursors = List.copyOf(cursors);
    }

    /**
     * One filter of the REQ.
     *
     * @param filter with the {@code until} it is asked with; inclusive, so that a second is never cut in two
     * @param seen the ids at exactly that second that came with earlier pages
     */
    public record Cursor(Filter filter, Set<EventId> seen) {}

    /** Whether it asks for kinds of events whatever they are about, as the coarse live side does (rule 15). */
    public boolean isCoarse() {
        return cursors.stream().map(Cursor::filter).allMatch(PageRequest::isOfKinds);
    }

    private static boolean isOfKinds(Filter filter) {
        return filter.kinds().filter(kinds -> !LAYER_ONE.containsAll(kinds)).isPresent()
                && filter.tags().isEmpty()
                && filter.ids().isEmpty()
                && filter.authors().isEmpty();
    }

    public List<Filter> filters() {
        return cursors.stream().map(Cursor::filter).toList();
    }

    public static PageRequest of(List<Filter> filters) {
        return new PageRequest(
                filters.stream().map(filter -> new Cursor(filter, Set.of())).toList());
    }
}
