package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Tag;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The events of a relay, of each address the newest only. Looked up by id, tag or kind, so that years pass quickly. */
final class RelayEvents {

    /** What a REQ finds. */
    record Found(List<SimEvent> events, boolean leftOut) {}

    private final TreeSet<SimEvent> all = new TreeSet<>(SimEvent.NEWEST_FIRST);
    private final Map<EventId, SimEvent> byId = new HashMap<>();
    private final Map<Address, SimEvent> heads = new HashMap<>();
    private final Map<Object, TreeSet<SimEvent>> byTerm = new HashMap<>();
    private final Map<Long, Integer> perSecond = new HashMap<>();
    private final Map<Long, Integer> bytesPerSecond = new HashMap<>();

    private record Term(String name, String value) {}

    /** Whether the event is new to the relay, and no newer version is here. */
    boolean add(SimEvent event) {
        if (byId.containsKey(event.id())) {
            return false;
        }
        Address address = Address.of(event).orElse(null);
        if (address != null) {
            SimEvent head = heads.get(address);
            if (head != null && SimEvent.NEWEST_FIRST.compare(head, event) < 0) {
                return false;
            }
            if (head != null) {
                remove(head);
            }
            heads.put(address, event);
        }
        all.add(event);
        byId.put(event.id(), event);
        perSecond.merge(event.createdAt(), 1, Integer::sum);
        bytesPerSecond.merge(event.createdAt(), event.size(), Integer::sum);
        terms(event)
                .forEach(term -> byTerm.computeIfAbsent(term, none -> new TreeSet<>(SimEvent.NEWEST_FIRST))
                        .add(event));
        return true;
    }

    void remove(SimEvent event) {
        all.remove(event);
        byId.remove(event.id());
        perSecond.merge(event.createdAt(), -1, Integer::sum);
        bytesPerSecond.merge(event.createdAt(), -event.size(), Integer::sum);
        for (Object term : terms(event)) {
            TreeSet<SimEvent> same = byTerm.get(term);
            if (same != null) {
                same.remove(event);
            }
        }
    }

    private static Set<Object> terms(SimEvent event) {
        Set<Object> terms = new LinkedHashSet<>();
        terms.add(event.kind());
        event.tags().stream().filter(Tag::isIndexed).forEach(tag -> terms.add(new Term(tag.name(), tag.value())));
        return terms;
    }

    Collection<SimEvent> all() {
        return Collections.unmodifiableCollection(all);
    }

    boolean has(EventId id) {
        return byId.containsKey(id);
    }

    /** Whether what it has of a second fits into one answer. */
    boolean fits(long second, int cap, int capBytes) {
        return inSecond(second) <= cap && bytesPerSecond.getOrDefault(second, 0) <= capBytes;
    }

    int inSecond(long second) {
        return perSecond.getOrDefault(second, 0);
    }

    /** NIP-01: of each filter the newest, at most {@code cap}; or of all filters together, where the cap is for the REQ. */
    Found find(List<Filter> filters, int cap, boolean capPerReq, int capBytes) {
        TreeSet<SimEvent> union = new TreeSet<>(SimEvent.NEWEST_FIRST);
        boolean leftOut = false;
        for (Filter filter : filters) {
            int most = Math.min(filter.limit().orElse(Integer.MAX_VALUE), cap);
            int taken = 0;
            int bytes = 0;
            for (SimEvent event : candidates(filter)) {
                if (filter.matches(event)) {
                    bytes += event.size();
                    if (taken == most || bytes > capBytes) {
                        leftOut = true;
                        break;
                    }
                    taken++;
                    union.add(event);
                }
            }
        }
        if (capPerReq && union.size() > cap) {
            return new Found(union.stream().limit(cap).toList(), true);
        }
        return new Found(List.copyOf(union), leftOut);
    }

    /** In the order of the answer. */
    private Collection<SimEvent> candidates(Filter filter) {
        TreeSet<SimEvent> found = new TreeSet<>(SimEvent.NEWEST_FIRST);
        if (filter.ids().isPresent()) {
            for (EventId id : filter.ids().get()) {
                SimEvent event = byId.get(id);
                if (event != null) {
                    found.add(event);
                }
            }
            return found;
        }
        if (!filter.tags().isEmpty()) {
            Map.Entry<String, Set<String>> first =
                    filter.tags().entrySet().iterator().next();
            first.getValue().forEach(value -> found.addAll(of(new Term(first.getKey(), value))));
            return found;
        }
        if (filter.kinds().isPresent()) {
            filter.kinds().get().forEach(kind -> found.addAll(of(kind)));
            return found;
        }
        return all;
    }

    private Collection<SimEvent> of(Object term) {
        Collection<SimEvent> found = byTerm.get(term);
        return found == null ? List.of() : found;
    }
}
