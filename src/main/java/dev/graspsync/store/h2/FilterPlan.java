package dev.graspsync.store.h2;

import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The terms to walk for a filter: of all its conditions the one with the fewest entries in the filter's time. The rest
 * of the conditions is checked on the events themselves.
 */
record FilterPlan(List<Long> terms, long fromOrder, long toOrder) {

    /** More authors × kinds than that are walked by author or by kind. */
    private static final int PRODUCT = 1_000;

    static FilterPlan of(Filter filter, Terms terms, IndexView view) {
        long from = Terms.newestFirst(filter.until().orElse(Long.MAX_VALUE));
        long to = Terms.newestFirst(filter.since().orElse(0));
        List<List<Long>> candidates = candidates(filter, terms);
        List<Long> best = List.of(Terms.TIME);
        long cheapest = candidates.isEmpty() ? 0 : cost(best, from, to, view, Long.MAX_VALUE);
        for (List<Long> candidate : candidates) {
            long cost = cost(candidate, from, to, view, cheapest);
            if (cost <= cheapest) {
                best = candidate;
                cheapest = cost;
            }
        }
        return new FilterPlan(best, from, to);
    }

    private static List<List<Long>> candidates(Filter filter, Terms terms) {
        List<List<Long>> all = new ArrayList<>();
        for (Map.Entry<String, Set<String>> tag : filter.tags().entrySet()) {
            all.add(tag.getValue().stream()
                    .map(value -> terms.tag(tag.getKey(), value))
                    .toList());
        }
        filter.kinds()
                .ifPresent(kinds -> all.add(kinds.stream().map(terms::kind).toList()));
        filter.authors().ifPresent(authors -> {
            all.add(authors.stream().map(terms::author).toList());
            filter.kinds().ifPresent(kinds -> {
                if ((long) authors.size() * kinds.size() <= PRODUCT) {
                    all.add(product(authors, kinds, terms));
                }
            });
        });
        return all;
    }

    private static List<Long> product(Set<PublicKey> authors, Set<Integer> kinds, Terms terms) {
        List<Long> all = new ArrayList<>();
        for (PublicKey author : authors) {
            for (int kind : kinds) {
                all.add(terms.authorKind(author, kind));
            }
        }
        return all;
    }

    private static long cost(List<Long> terms, long from, long to, IndexView view, long enough) {
        long cost = 0;
        for (long term : terms) {
            for (Run run : view.runs()) {
                cost += run.estimate(term, from, to);
            }
            if (cost > enough) {
                return cost;
            }
        }
        return cost;
    }
}
