package dev.graspsync.observe.api;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.sync.core.LastOutcome;
import dev.graspsync.sync.core.Outcome;
import dev.graspsync.sync.core.RelayView;
import dev.graspsync.sync.core.RelayView.Connection;
import dev.graspsync.sync.core.RepoAtRelayView;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Says of relays how thoroughly each was searched for something that is not here. */
@ApplicationScoped
class RelaySearch {

    /** Whoever may have it comes first, as far as the list is long. */
    private static final int MOST = 50;

    private static final List<String> OPEN_FIRST =
            List.of("unreachable", "capped", "refused", "searching", "not-asked", "searched");

    /** How much is wanted of a relay, of everything or of one repository. */
    private record Progress(long items, long confirmed, Optional<LastOutcome> last) {

        boolean isDone() {
            return confirmed >= items;
        }
    }

    private final SyncManager sync;
    private final RepoReader repos;

    @Inject
    RelaySearch(SyncManager sync, RepoReader repos) {
        this.sync = sync;
        this.repos = repos;
    }

    /** At the relays of one repository, and those that are hinted at. */
    List<Explanation.AtRelay> forRepo(RepoAddress repo, List<RelayUrl> hints) {
        List<Explanation.AtRelay> found = new ArrayList<>();
        Set<RelayUrl> others = new LinkedHashSet<>(hints);
        for (RepoAtRelayView here : repos.relaysOf(repo)) {
            others.remove(here.relay());
            found.add(sync.view()
                    .relay(here.relay())
                    .map(relay -> asked(relay, new Progress(here.items(), here.confirmed(), here.last())))
                    .orElseGet(() -> notAsked(
                            here.relay(),
                            "The repository names it, but this service reads no more relays"
                                    + " (grasp.sync.max-relays).")));
        }
        found.addAll(hinted(others));
        return worstFirst(found);
    }

    /** At the relays that are hinted at; without hints, at all. */
    List<Explanation.AtRelay> anywhere(List<RelayUrl> hints) {
        if (!hints.isEmpty()) {
            return worstFirst(hinted(new LinkedHashSet<>(hints)));
        }
        return worstFirst(sync.view().relays().stream()
                .map(relay -> asked(relay, overall(relay)))
                .toList());
    }

    private List<Explanation.AtRelay> hinted(Set<RelayUrl> hints) {
        return hints.stream()
                .map(url -> sync.view()
                        .relay(url)
                        .map(relay -> asked(relay, overall(relay)))
                        .orElseGet(() -> notAsked(
                                url, "No repository hosted here names this relay, so this service does not read it.")))
                .toList();
    }

    private static List<Explanation.AtRelay> worstFirst(List<Explanation.AtRelay> all) {
        return all.stream()
                .sorted(Comparator.comparing((Explanation.AtRelay relay) -> OPEN_FIRST.indexOf(relay.verdict()))
                        .thenComparing(Explanation.AtRelay::url))
                .limit(MOST)
                .toList();
    }

    private static Progress overall(RelayView relay) {
        // What a layer was last told counts only while something of it is missing.
        return new Progress(
                relay.items(),
                relay.confirmed(),
                relay.layers().stream()
                        .filter(layer -> layer.confirmed() < layer.items())
                        .flatMap(layer -> layer.last().stream())
                        .max(Comparator.comparing(LastOutcome::at)));
    }

    private static Explanation.AtRelay notAsked(RelayUrl url, String text) {
        return new Explanation.AtRelay(url.toString(), Optional.empty(), Optional.empty(), "not-asked", text);
    }

    private Explanation.AtRelay asked(RelayView relay, Progress progress) {
        if (relay.connection() != Connection.CONNECTED) {
            return said(relay, "unreachable", unreachable(relay, progress));
        }
        if (progress.isDone()) {
            return said(
                    relay,
                    "searched",
                    "Everything it has about " + Words.counted(relay.repositories(), "repository")
                            + " hosted here was read, and it did not have this; what is new there comes live.");
        }
        String done = " So far " + progress.confirmed() + " of " + progress.items() + " questions to it are answered.";
        Optional<Outcome> last = progress.last().map(LastOutcome::outcome);
        String reason = progress.last()
                .flatMap(LastOutcome::reason)
                .map(text -> ": " + text)
                .orElse("");
        return switch (last.orElse(new Outcome.Drained())) {
            case Outcome.Capped capped -> said(relay, "capped", "It has more than it hands out" + reason + "." + done);
            case Outcome.Closed closed -> said(relay, "refused", "It refused the question" + reason + "." + done);
            case Outcome.AuthNeeded auth ->
                said(relay, "refused", "It answers only those it knows, and not this service" + reason + "." + done);
            case Outcome.Idle idle -> said(relay, "searching", "It did not answer in time and is asked again." + done);
            case Outcome.Lost lost ->
                said(relay, "searching", "The connection to it had been lost; it is being read again." + done);
            case Outcome.Unreconciled unreconciled -> said(relay, "searching", "It is asked in another way." + done);
            case Outcome.Delayed delayed ->
                said(relay, "searching", "It is asked when there is room for it here." + done);
            case Outcome.Drained drained -> said(relay, "searching", "It is being read." + done);
        };
    }

    private static String unreachable(RelayView relay, Progress progress) {
        String since = relay.failingSince()
                .or(relay::lastConnected)
                .map(Words::at)
                .map(at -> " since " + at)
                .orElse("");
        String why = relay.why().map(reason -> " (" + reason.text() + ")").orElse("");
        String next = relay.connection() == Connection.CONNECTING
                ? "; it is being tried right now."
                : relay.nextAttempt()
                        .filter(at -> at.isAfter(Instant.now()))
                        .map(at -> "; it is tried again at " + Words.at(at) + ".")
                        .orElse("; it is tried again soon.");
        String before = relay.lastConnected().isEmpty()
                ? " It was never reached, so nothing of it is here."
                : " Before that, " + progress.confirmed() + " of " + progress.items()
                        + " questions to it were answered.";
        return "It cannot be reached" + since + why + next + before;
    }

    private static Explanation.AtRelay said(RelayView relay, String verdict, String text) {
        return new Explanation.AtRelay(
                relay.relay().toString(),
                Optional.of(RelayReader.word(relay.connection())),
                Optional.of(RelayReader.word(relay.health())),
                verdict,
                text);
    }
}
