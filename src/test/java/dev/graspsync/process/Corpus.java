package dev.graspsync.process;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.wire.EventJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Signed NIP-34 events in the order of their time: repositories that list the service, with a state, root events and as
 * many replies, and noise that must not be accepted. The same arguments always give the same events.
 */
public record Corpus(List<Item> items, List<String> roots, List<String> addresses) {

    /** An event, its JSON, and whether a relay for the corpus' domain takes it. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Item(Event event, byte[] json, boolean accepted) {

        public static Item of(Event event, boolean accepted) {
            return new Item(event, EventJson.write(event), accepted);
        }
    }

    /** Where announcements say that a repository is: relays, and servers to which its path is added. */
    public record Places(List<String> relays, List<String> servers) {

        public static Places of(String domain) {
            return new Places(List.of("wss://" + domain), List.of("https://" + domain));
        }

        /** At services of this machine, named in relays and clone alike, and at relays of others. */
        public static Places local(List<Integer> services, String... otherRelays) {
            List<String> relays = new ArrayList<>(List.of(otherRelays));
            services.forEach(port -> relays.add("ws://127.0.0.1:" + port));
            return new Places(
                    relays,
                    services.stream().map(port -> "http://127.0.0.1:" + port).toList());
        }
    }

    private static final int USERS = 500;

    public static Corpus generate(long seed, int repositories, int rootsEach, int noise, String domain) {
        return generate(seed, repositories, rootsEach, noise, Places.of(domain));
    }

    /** @param places what the announcements of accepted repositories name */
    public static Corpus generate(long seed, int repositories, int rootsEach, int noise, Places places) {
        List<TestKeys> users = IntStream.range(0, USERS)
                .mapToObj(i -> TestKeys.named("user " + seed + " " + i))
                .toList();
        List<CorpusRepository> all = IntStream.range(0, repositories)
                .parallel()
                .mapToObj(i -> CorpusRepository.generate(seed, i, rootsEach, users, places, true))
                .toList();
        int eventsOfFour = 2 + 4 + 4;
        List<CorpusRepository> others = IntStream.range(0, noise / eventsOfFour)
                .parallel()
                .mapToObj(i -> CorpusRepository.generate(~seed, i, 4, users, Places.of("elsewhere.example"), false))
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

    /** The ids, in hex, of what a relay that the repositories name is to have in the end. */
    public Set<String> acceptedIds() {
        return items.stream()
                .filter(Item::accepted)
                .map(item -> item.event().id().hex())
                .collect(Collectors.toSet());
    }

    public int size() {
        return items.size();
    }

    public int accepted() {
        return (int) items.stream().filter(Item::accepted).count();
    }

    /** Bytes of JSON of what is accepted. */
    public long acceptedBytes() {
        return items.stream()
                .filter(Item::accepted)
                .mapToLong(item -> item.json().length)
                .sum();
    }
}
