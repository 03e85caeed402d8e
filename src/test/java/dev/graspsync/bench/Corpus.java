package dev.graspsync.bench;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.wire.EventJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Signed NIP-34 events in the order of their time: repositories that list the service, with a state, root events and as
 * many replies, and noise that must not be accepted. The same arguments always give the same events.
 */
record Corpus(List<Item> items, List<String> roots, List<String> addresses) {

    /** An event, its JSON, and whether a relay for the corpus' domain takes it. */
    @SuppressWarnings("ArrayRecordComponent")
    record Item(Event event, byte[] json, boolean accepted) {

        static Item of(Event event, boolean accepted) {
            return new Item(event, EventJson.write(event), accepted);
        }
    }

    private static final int USERS = 500;

    static Corpus generate(long seed, int repositories, int rootsEach, int noise, String domain) {
        List<TestKeys> users = IntStream.range(0, USERS)
                .mapToObj(i -> TestKeys.named("user " + seed + " " + i))
                .toList();
        List<CorpusRepository> all = IntStream.range(0, repositories)
                .parallel()
                .mapToObj(i -> CorpusRepository.generate(seed, i, rootsEach, users, domain, true))
                .toList();
        int eventsOfFour = 2 + 4 + 4;
        List<CorpusRepository> others = IntStream.range(0, noise / eventsOfFour)
                .parallel()
                .mapToObj(i -> CorpusRepository.generate(~seed, i, 4, users, "elsewhere.example", false))
                .toList();
        List<Item> items = new ArrayList<>();
        List<String> roots = new ArrayList<>();
        all.forEach(repository -> {
            items.addAll(repository.items());
            roots.addAll(repository.roots());
        });
        others.forEach(repository -> items.addAll(repository.items()));
        items.sort(Comparator.<Item>comparingLong(item -> item.event().createdAt())
                .thenComparing(item -> item.event().id()));
        return new Corpus(
                items, roots, all.stream().map(CorpusRepository::address).toList());
    }

    int size() {
        return items.size();
    }

    int accepted() {
        return (int) items.stream().filter(Item::accepted).count();
    }

    /** Bytes of JSON of what is accepted. */
    long acceptedBytes() {
        return items.stream()
                .filter(Item::accepted)
                .mapToLong(item -> item.json().length)
                .sum();
    }
}
