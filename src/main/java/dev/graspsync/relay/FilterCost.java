package dev.graspsync.relay;

import dev.graspsync.nostr.Filter;
import java.util.Collection;
import java.util.List;

/** About how many bytes of memory filters take. */
final class FilterCost {

    /** An id, a key or a tag's value is an object, and an entry of a set. */
    private static final long VALUE = 120;

    private static final long FILTER = 200;

    static final String TOO_MUCH = "the filters that are open here are too large, close some or come again";

    private FilterCost() {}

    /** @param messageLength of the message they came in */
    static long of(List<Filter> filters, int messageLength) {
        long cost = messageLength;
        for (Filter filter : filters) {
            cost += FILTER;
            cost += VALUE * filter.ids().map(Collection::size).orElse(0);
            cost += VALUE * filter.authors().map(Collection::size).orElse(0);
            cost += VALUE * filter.kinds().map(Collection::size).orElse(0);
            for (Collection<String> values : filter.tags().values()) {
                cost += VALUE * values.size();
            }
        }
        return cost;
    }
}
