package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.nostr.Tag;
import dev.graspsync.relay.MemoryIngest;
import dev.graspsync.sync.core.EngineProbe;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What must be home at the end: everything that a well-meaning relay named by a live announcement would serve for what
 * is home already, and that the policy would take. Whoever holds all of that holds everything there is, step by step.
 */
final class Oracle {

    /** What an event is asked for by (rule 13). */
    private enum Layer {
        ONE,
        TWO,
        THREE,
        FOUR
    }

    record Missing(SimRelay relay, SimEvent event, String layer) {
        @Override
        public String toString() {
            return "layer " + layer + ": " + event + " " + tags() + " at " + relay.url;
        }

        private String tags() {
            return event.tags().stream()
                    .map(tag -> String.join("=", tag.values()))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /** A relay that refuses filters without kinds is asked for these. */
    private static final Set<Integer> NAMED_KINDS = EngineProbe.namedKinds();

    private static final Set<String> REPO_TAGS = Set.of("a", "A", "q");
    private static final Set<String> ROOT_TAGS = Set.of("e", "E", "q");

    private final MemoryIngest<SimEvent> home;
    private final Instant now;
    private final List<SimEvent> announcements;
    private final List<SimEvent> roots;

    Oracle(MemoryIngest<SimEvent> home, Instant now) {
        this.home = home;
        this.now = now;
        List<SimEvent> live = home.live();
        announcements = live.stream()
                .filter(event -> event.kind() == Kind.REPO_ANNOUNCEMENT)
                .toList();
        roots = live.stream().filter(event -> Kind.isRoot(event.kind())).toList();
    }

    List<Missing> missing(Collection<SimRelay> relays, Set<RelayUrl> bootstrap) {
        List<Missing> missing = new ArrayList<>();
        for (SimRelay relay : relays) {
            if (!relay.hostile) {
                missing.addAll(missingFrom(relay, bootstrap.contains(relay.url)));
            }
        }
        return missing;
    }

    private List<Missing> missingFrom(SimRelay relay, boolean bootstrap) {
        List<SimEvent> named = announcements.stream()
                .filter(event -> SelfView.relays(event).contains(relay.url))
                .toList();
        if (named.isEmpty() && !bootstrap) {
            return List.of();
        }
        Targets targets = Targets.of(named, roots);
        List<Missing> missing = new ArrayList<>();
        for (SimEvent event : relay.events.all()) {
            Layer layer = targets.layer(event);
            if (layer != null && isServed(relay, event) && home.wants(event, now)) {
                missing.add(new Missing(relay, event, layer.name()));
            }
        }
        return missing;
    }

    /** More events in one second than fit in an answer cannot be asked for (rule 21). */
    private static boolean isServed(SimRelay relay, SimEvent event) {
        return relay.events.fits(event.createdAt(), relay.traits.cap(), relay.traits.capBytes())
                && (!relay.traits.kindsNeeded() || NAMED_KINDS.contains(event.kind()));
    }

    /** What is wanted of one relay. */
    private record Targets(
            Set<String> repos, Set<String> roots, Set<EventId> mentionedIds, Set<Address> mentionedAddresses) {

        static Targets of(List<SimEvent> announcements, List<SimEvent> allRoots) {
            Set<RepoAddress> repos = new HashSet<>();
            announcements.forEach(event -> repos.add(SelfView.repo(event)));
            List<SimEvent> roots = allRoots.stream()
                    .filter(root -> SelfView.repos(root).stream().anyMatch(repos::contains))
                    .toList();
            Targets targets = new Targets(new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashSet<>());
            repos.forEach(repo -> targets.repos.add(repo.toString()));
            roots.forEach(root -> targets.roots.add(root.id().hex()));
            announcements.forEach(targets::mention);
            roots.forEach(targets::mention);
            return targets;
        }

        private void mention(SimEvent by) {
            for (Tag tag : by.tags()) {
                if (REPO_TAGS.contains(tag.name()) || ROOT_TAGS.contains(tag.name())) {
                    EventId.parse(tag.value()).ifPresent(mentionedIds::add);
                    Address.parse(tag.value()).ifPresent(mentionedAddresses::add);
                }
            }
        }

        @Nullable
        Layer layer(SimEvent event) {
            if (event.kind() == Kind.REPO_ANNOUNCEMENT || event.kind() == Kind.REPO_STATE) {
                return Layer.ONE;
            }
            for (Tag tag : event.tags()) {
                if (REPO_TAGS.contains(tag.name()) && repos.contains(tag.value())) {
                    return Layer.TWO;
                }
                if (ROOT_TAGS.contains(tag.name()) && roots.contains(tag.value())) {
                    return Layer.THREE;
                }
            }
            boolean mentioned = mentionedIds.contains(event.id())
                    || Address.of(event).filter(mentionedAddresses::contains).isPresent();
            return mentioned ? Layer.FOUR : null;
        }
    }
}
