package dev.graspsync.sync.core;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/** The filters that ask for items, within what a relay takes (rules 13 and 14). */
record LayerFilters(RelayBudget budget, Filter base) {

    /** What is named where a relay insists on kinds, and what the coarse live side asks for; the likeliest first. */
    static final List<Integer> KINDS = List.of(
            Kind.PATCH,
            Kind.PULL_REQUEST,
            Kind.PULL_REQUEST_UPDATE,
            Kind.ISSUE,
            1111,
            1630,
            1631,
            1632,
            1633,
            Kind.REPO_ANNOUNCEMENT,
            Kind.REPO_STATE,
            1622,
            Kind.DELETION,
            1,
            7,
            1985);

    private static final int ADDRESS_LENGTH = 90;
    private static final int ID_LENGTH = 67;
    /** What a message has beside the values. */
    private static final int FRAME = 512;

    List<Filter> of(Collection<Item> items) {
        List<String> repos = new ArrayList<>();
        List<String> roots = new ArrayList<>();
        Set<EventId> ids = new LinkedHashSet<>();
        List<Address> addresses = new ArrayList<>();
        boolean announcements = false;
        for (Item item : items) {
            switch (item) {
                case Item.Announcements all -> announcements = true;
                case Item.Repo(var address) -> repos.add(address.toString());
                case Item.Root(var id) -> roots.add(id.hex());
                case Item.Named(Reference.ById(var id)) -> ids.add(id);
                case Item.Named(Reference.ByAddress(var address)) -> addresses.add(address);
            }
        }
        List<Filter> filters = new ArrayList<>();
        if (announcements) {
            filters.addAll(ofKinds(List.of(Kind.REPO_ANNOUNCEMENT, Kind.REPO_STATE)));
        }
        addTagged(filters, repos, "a", "A", "q");
        addTagged(filters, roots, "e", "E", "q");
        for (List<EventId> chunk : chunks(new ArrayList<>(ids), id -> ID_LENGTH)) {
            filters.add(base.withIds(new LinkedHashSet<>(chunk)));
        }
        for (List<Address> chunk :
                chunks(addresses, address -> address.identifier().length() + ADDRESS_LENGTH)) {
            filters.add(ofAddresses(chunk));
        }
        return filters;
    }

    /** One filter for each so many kinds. */
    List<Filter> ofKinds(List<Integer> kinds) {
        List<Filter> filters = new ArrayList<>();
        for (int from = 0; from < kinds.size(); from += budget.kinds()) {
            int to = Math.min(kinds.size(), from + budget.kinds());
            filters.add(base.withKinds(kinds.subList(from, to).toArray(Integer[]::new)));
        }
        return filters;
    }

    private void addTagged(List<Filter> filters, List<String> values, String... names) {
        for (List<String> chunk : chunks(values, value -> value.length() + 3)) {
            Set<String> set = new LinkedHashSet<>(chunk);
            for (String name : names) {
                if (budget.kindsNeeded()) {
                    ofKinds(KINDS).forEach(filter -> filters.add(filter.withTag(name, set)));
                } else {
                    filters.add(base.withTag(name, set));
                }
            }
        }
    }

    /** A few more than asked for match, where several addresses share a filter: they are checked like any event. */
    private Filter ofAddresses(List<Address> addresses) {
        Set<Integer> kinds = new LinkedHashSet<>();
        Set<PublicKey> authors = new LinkedHashSet<>();
        Set<String> identifiers = new LinkedHashSet<>();
        for (Address address : addresses) {
            kinds.add(address.kind());
            authors.add(address.pubkey());
            if (Kind.isAddressable(address.kind())) {
                identifiers.add(address.identifier());
            }
        }
        Filter filter = base.withKinds(kinds.toArray(Integer[]::new)).withAuthors(authors);
        boolean allNamed = addresses.stream().allMatch(address -> Kind.isAddressable(address.kind()));
        return allNamed ? filter.withTag("d", identifiers) : filter;
    }

    private <T> List<List<T>> chunks(List<T> all, ToIntFunction<T> length) {
        List<List<T>> chunks = new ArrayList<>();
        List<T> chunk = new ArrayList<>();
        int bytes = FRAME;
        for (T value : all) {
            int more = length.applyAsInt(value);
            if (!chunk.isEmpty() && (chunk.size() >= budget.values() || bytes + more > budget.bytes())) {
                chunks.add(chunk);
                chunk = new ArrayList<>();
                bytes = FRAME;
            }
            chunk.add(value);
            bytes += more;
        }
        if (!chunk.isEmpty()) {
            chunks.add(chunk);
        }
        return chunks;
    }

    /** Filters that together match the same, each with no more values than the budget allows. */
    List<Filter> narrowed(Filter filter) {
        for (Map.Entry<String, Set<String>> tag : filter.tags().entrySet()) {
            return chunks(List.copyOf(tag.getValue()), value -> value.length() + 3).stream()
                    .map(chunk -> filter.withTag(tag.getKey(), new LinkedHashSet<>(chunk)))
                    .toList();
        }
        return List.of(filter);
    }

    /** Packs filters into as few REQs as the relay's budget allows. */
    List<List<Filter>> pack(List<Filter> filters) {
        List<List<Filter>> reqs = new ArrayList<>();
        List<Filter> req = new ArrayList<>();
        int bytes = FRAME;
        for (Filter filter : filters) {
            int more = bytes(filter);
            if (!req.isEmpty() && (req.size() >= budget.filters() || bytes + more > budget.bytes())) {
                reqs.add(req);
                req = new ArrayList<>();
                bytes = FRAME;
            }
            req.add(filter);
            bytes += more;
        }
        if (!req.isEmpty()) {
            reqs.add(req);
        }
        return reqs;
    }

    /** About how long a filter is as JSON. */
    static int bytes(Filter filter) {
        int bytes = 96;
        for (Set<String> values : filter.tags().values()) {
            for (String value : values) {
                bytes += value.length() + 3;
            }
        }
        bytes += ID_LENGTH * filter.ids().map(Set::size).orElse(0);
        bytes += ID_LENGTH * filter.authors().map(Set::size).orElse(0);
        return bytes + 6 * filter.kinds().map(Set::size).orElse(0);
    }
}
