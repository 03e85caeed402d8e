package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.relay.MemoryIngest;
import dev.graspsync.sync.core.Reference;
import dev.graspsync.sync.core.SyncInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Reads stored events as the engine is told of them. */
record SelfView(MemoryIngest<SimEvent> ingest) {

    private static final Map<String, Optional<RelayUrl>> URLS = new ConcurrentHashMap<>();

    static RepoAddress repo(SimEvent announcement) {
        return new RepoAddress(
                announcement.pubkey(), announcement.firstValue("d").orElse(""));
    }

    static List<RelayUrl> relays(SimEvent announcement) {
        return announcement
                .tags("relays")
                .flatMap(tag -> tag.values().stream().skip(1))
                .flatMap(url -> URLS.computeIfAbsent(url, RelayUrl::parse).stream())
                .distinct()
                .toList();
    }

    static List<RepoAddress> repos(SimEvent root) {
        return root.tags("a")
                .flatMap(tag -> RepoAddress.parse(tag.value()).stream())
                .distinct()
                .toList();
    }

    SyncInput.Announced announced(SimEvent event) {
        List<Reference> references = references(event);
        Address ownState = new Address(
                Kind.REPO_STATE, event.pubkey(), event.firstValue("d").orElse(""));
        Stream.concat(Stream.of(ownState), coMaintained(event))
                .map(Reference.ByAddress::new)
                .forEach(references::add);
        return new SyncInput.Announced(
                repo(event),
                event.id(),
                event.createdAt(),
                relays(event),
                references,
                event.expiration().map(Instant::ofEpochSecond));
    }

    SyncInput.Rooted rooted(SimEvent event) {
        return new SyncInput.Rooted(event.id(), repos(event), references(event));
    }

    /** Rule 13, layer 4. */
    private List<Reference> references(SimEvent event) {
        List<Reference> references = new ArrayList<>();
        ingest.lackedIds(event).forEach(id -> references.add(new Reference.ById(id)));
        ingest.lackedAddresses(event).forEach(address -> references.add(new Reference.ByAddress(address)));
        return references;
    }

    static Stream<Address> coMaintained(SimEvent announcement) {
        String identifier = announcement.firstValue("d").orElse("");
        return announcement
                .tags("maintainers")
                .flatMap(tag -> tag.values().stream().skip(1))
                .flatMap(hex -> PublicKey.parse(hex).stream())
                .flatMap(key -> Stream.of(
                        new Address(Kind.REPO_ANNOUNCEMENT, key, identifier),
                        new Address(Kind.REPO_STATE, key, identifier)));
    }
}
