package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.PublicKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Seconds in which a filter matches more events than the relay hands out at once. Each is asked for on its own, the
 * filter halved until the answers are shorter than the longest one, so that they cannot have been cut; where it cannot
 * be halved any more, a gap stays.
 */
final class DenseSeconds {

    private static final int MOST = 1_000;

    /** @param cut a shorter answer was not cut, as far as is known of this second */
    private record Window(Filter filter, long second, int cut) {}

    private final Deque<Window> waiting = new ArrayDeque<>();
    private boolean reading;

    /** @param cut how many events came when the second was cut */
    void add(Filter filter, long second, int cut) {
        Filter window = new Filter(
                filter.ids(),
                filter.authors(),
                filter.kinds(),
                filter.tags(),
                OptionalLong.of(second),
                OptionalLong.of(second),
                filter.limit());
        waiting.add(new Window(window, second, cut));
    }

    boolean isReading() {
        return reading;
    }

    /** Whether there is anything to read. */
    boolean start() {
        reading = !waiting.isEmpty();
        return reading;
    }

    PageRequest page() {
        return PageRequest.of(List.of(waiting.element().filter()));
    }

    /**
     * Takes the answer to {@link #page}.
     *
     * @param longest a shorter answer was not cut
     * @param gaps gets the seconds that stay incomplete
     */
    void ended(PageResult page, int longest, Set<Long> gaps) {
        Window window = waiting.remove();
        if (page.received() >= Math.min(longest, window.cut())) {
            List<Filter> halves = halves(window.filter());
            if (halves.isEmpty() || waiting.size() > MOST) {
                gaps.add(window.second());
            } else {
                halves.forEach(half -> waiting.addFirst(new Window(half, window.second(), window.cut())));
            }
        }
        reading = !waiting.isEmpty();
    }

    /** Two filters that together match the same; none where this filter has no list of two or more. */
    private static List<Filter> halves(Filter filter) {
        for (Map.Entry<String, Set<String>> tag : filter.tags().entrySet()) {
            if (tag.getValue().size() > 1) {
                return split(tag.getValue()).stream()
                        .map(half -> filter.withTag(tag.getKey(), half))
                        .toList();
            }
        }
        if (filter.kinds().filter(kinds -> kinds.size() > 1).isPresent()) {
            return split(filter.kinds().get()).stream()
                    .map(half -> filter.withKinds(half.toArray(Integer[]::new)))
                    .toList();
        }
        Optional<Set<PublicKey>> authors = filter.authors().filter(keys -> keys.size() > 1);
        if (authors.isPresent()) {
            return split(authors.get()).stream().map(filter::withAuthors).toList();
        }
        Optional<Set<EventId>> ids = filter.ids().filter(all -> all.size() > 1);
        return ids.map(all -> split(all).stream().map(filter::withIds).toList()).orElse(List.of());
    }

    private static <T> List<Set<T>> split(Collection<T> all) {
        List<T> list = new ArrayList<>(all);
        int half = list.size() / 2;
        return List.of(
                new LinkedHashSet<>(list.subList(0, half)), new LinkedHashSet<>(list.subList(half, list.size())));
    }
}
