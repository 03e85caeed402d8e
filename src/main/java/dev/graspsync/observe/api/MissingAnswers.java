package dev.graspsync.observe.api;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.observe.api.Explanation.AtRelay;
import dev.graspsync.observe.api.Explanation.Verdict;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.sync.core.EngineView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** About what nobody has offered, as far as is known. */
record MissingAnswers(SyncManager sync, RelaySearch search, String domain) {

    /**
     * @param what it is, to begin a sentence with
     * @param hints where it is said to be
     * @param repos that it may be about
     */
    Answer answer(String what, List<RelayUrl> hints, List<RepoAddress> repos) {
        if (!sync.isEnabled()) {
            return new Answer(Verdict.NEVER_OFFERED, what + " is not here: nobody published it here")
                    .detail("This service reads no other relays (grasp.sync.enabled is false)");
        }
        if (sync.view().engine().phase() == EngineView.Phase.STARTING) {
            return new Answer(
                    Verdict.UNKNOWN,
                    what + " is not here, and more cannot be said yet: the service has only just started");
        }
        List<AtRelay> relays = relays(hints, repos);
        return new Answer(Verdict.NEVER_OFFERED, summary(what, relays))
                .detail("This service takes what concerns repositories whose announcement names " + domain
                        + ": if it is about another one, that is why it is not here")
                .relays(relays);
    }

    /** Each relay once, at which it may be. */
    List<AtRelay> relays(List<RelayUrl> hints, List<RepoAddress> repos) {
        Map<String, AtRelay> found = new LinkedHashMap<>();
        repos.forEach(repo -> search.forRepo(repo, List.of()).forEach(relay -> found.putIfAbsent(relay.url(), relay)));
        if (!hints.isEmpty() || found.isEmpty()) {
            search.anywhere(hints).forEach(relay -> found.putIfAbsent(relay.url(), relay));
        }
        return new ArrayList<>(found.values());
    }

    static String summary(String what, List<AtRelay> relays) {
        if (relays.isEmpty()) {
            return what + " is not here: nobody published it here, and there is no other relay it could come from";
        }
        long open = relays.stream()
                .filter(relay -> !relay.verdict().equals("searched"))
                .count();
        if (open == 0) {
            return what + " is not here: nobody published it here, and "
                    + (relays.size() == 1
                            ? "the relay it may be at was read completely and did not have it"
                            : "the " + relays.size() + " relays it may be at were read completely and did not have it");
        }
        if (relays.size() == 1) {
            AtRelay only = relays.getFirst();
            return what + " is not here: nobody published it here, and " + only.url() + " " + could(only.verdict());
        }
        return "%s is not here: nobody published it here, and of the %d relays it may be at %d could not be searched completely"
                .formatted(what, relays.size(), open);
    }

    private static String could(String verdict) {
        return switch (verdict) {
            case "unreachable" -> "cannot be reached";
            case "capped" -> "hands out only part of what it has";
            case "refused" -> "refuses to be read";
            case "not-asked" -> "is not read by this service";
            default -> "has not been read completely yet";
        };
    }
}
