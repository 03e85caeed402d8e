package dev.graspsync.store;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a store has to answer, said as plainly as possible: a list, searched from end to end. */
final class NaiveStore {

    private static final Comparator<Event> NEWEST_FIRST =
            Comparator.comparingLong(Event::createdAt).reversed().thenComparing(Event::id);

    private final List<Event> live = new ArrayList<>();
    private final Set<EventId> seen = new HashSet<>();

    /** Whether the event was stored. */
    boolean save(Event event, long now) {
        if (seen.contains(event.id()) || event.isExpired(now) || isVanished(event) || isDeleted(event)) {
            return false;
        }
        Optional<Address> address = Address.of(event);
        if (address.isPresent()) {
            Optional<Event> head = live.stream()
                    .filter(other -> Address.of(other).equals(address))
                    .findFirst();
            if (head.isPresent() && NEWEST_FIRST.compare(head.get(), event) < 0) {
                return false;
            }
            head.ifPresent(live::remove);
        }
        live.add(event);
        seen.add(event.id());
        if (event.kind() == 5) {
            live.removeIf(other -> isDeletedBy(other, event));
        }
        if (event.kind() == 62) {
            List<Event> gone = live.stream()
                    .filter(other -> other != event
                            && other.pubkey().equals(event.pubkey())
                            && other.createdAt() <= event.createdAt())
                    .toList();
            live.removeAll(gone);
        }
        return true;
    }

    private boolean isVanished(Event event) {
        return event.kind() != 62
                && live.stream()
                        .anyMatch(other -> other.kind() == 62
                                && other.pubkey().equals(event.pubkey())
                                && other.createdAt() >= event.createdAt());
    }

    private boolean isDeleted(Event event) {
        return live.stream().anyMatch(other -> other.kind() == 5 && isDeletedBy(event, other));
    }

    private static boolean isDeletedBy(Event event, Event deletion) {
        if (event.kind() == 5 || event.kind() == 62 || !event.pubkey().equals(deletion.pubkey())) {
            return false;
        }
        boolean byId =
                deletion.tags("e").anyMatch(tag -> tag.value().equals(event.id().hex()));
        boolean byAddress = event.createdAt() <= deletion.createdAt()
                && Address.of(event)
                        .filter(address ->
                                deletion.tags("a").anyMatch(tag -> tag.value().equals(address.toString())))
                        .isPresent();
        return byId || byAddress;
    }

    List<EventId> query(List<Filter> filters, int maxLimit, long now) {
        Set<Event> found = new LinkedHashSet<>();
        for (Filter filter : filters) {
            live.stream()
                    .filter(event -> filter.matches(event) && !event.isExpired(now))
                    .sorted(NEWEST_FIRST)
                    .limit(Math.min(maxLimit, filter.limit().orElse(maxLimit)))
                    .forEach(found::add);
        }
        return found.stream().sorted(NEWEST_FIRST).map(Event::id).toList();
    }
}
