package dev.graspsync.nostr;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A NIP-01 filter. An absent field matches everything; a present but empty list matches nothing. Prefixes of ids and
 * keys are not a thing any more.
 *
 * @param tags by tag letter, without the '#'
 */
public record Filter(
        Optional<Set<EventId>> ids,
        Optional<Set<PublicKey>> authors,
        Optional<Set<Integer>> kinds,
        Map<String, Set<String>> tags,
        OptionalLong since,
        OptionalLong until,
        OptionalInt limit) {

    public static final Filter ALL = new Filter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalInt.empty());

    /** Whether an event is one this filter asks for; {@code limit} plays no part. */
    public boolean matches(EventFields event) {
        return (ids.isEmpty() || ids.get().contains(event.id()))
                && (since.isEmpty() || event.createdAt() >= since.getAsLong())
                && (until.isEmpty() || event.createdAt() <= until.getAsLong())
                && (kinds.isEmpty() || kinds.get().contains(event.kind()))
                && (authors.isEmpty() || authors.get().contains(event.pubkey()))
                && (tags.isEmpty() || matchesTags(event));
    }

    private boolean matchesTags(EventFields event) {
        for (Map.Entry<String, Set<String>> wanted : tags.entrySet()) {
            if (!hasOne(event, wanted.getKey(), wanted.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasOne(EventFields event, String name, Set<String> values) {
        for (Tag tag : event.tags()) {
            if (tag.hasValue() && tag.name().equals(name) && values.contains(tag.value())) {
                return true;
            }
        }
        return false;
    }

    public Filter withKinds(Integer... wanted) {
        return new Filter(ids, authors, Optional.of(ordered(Arrays.asList(wanted))), tags, since, until, limit);
    }

    public Filter withIds(Set<EventId> wanted) {
        return new Filter(Optional.of(ordered(wanted)), authors, kinds, tags, since, until, limit);
    }

    public Filter withAuthors(Set<PublicKey> wanted) {
        return new Filter(ids, Optional.of(ordered(wanted)), kinds, tags, since, until, limit);
    }

    public Filter withTag(String name, Set<String> values) {
        Map<String, Set<String>> all = new LinkedHashMap<>(tags);
        all.put(name, ordered(values));
        return new Filter(ids, authors, kinds, Collections.unmodifiableMap(all), since, until, limit);
    }

    public Filter withSince(long seconds) {
        return new Filter(ids, authors, kinds, tags, OptionalLong.of(seconds), until, limit);
    }

    public Filter withUntil(long seconds) {
        return new Filter(ids, authors, kinds, tags, since, OptionalLong.of(seconds), limit);
    }

    public Filter withLimit(int most) {
        return new Filter(ids, authors, kinds, tags, since, until, OptionalInt.of(most));
    }

    /** Filters keep the order they were given, so that the same filter is always written the same. */
    private static <T> Set<T> ordered(Collection<T> values) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(values));
    }
}
