package dev.graspsync.observe.api;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.observe.api.Explanation.Verdict;
import dev.graspsync.relay.Refusal;
import dev.graspsync.relay.Refusals;
import dev.graspsync.relay.UnwantedEvents;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** About events that were offered and not taken. */
record RefusalAnswers(StoredFacts facts, Refusals refusals, UnwantedEvents unwanted) {

    Optional<Refusal> find(EventId id) {
        return refusals.find(id);
    }

    /** Whether all that is known of it is that it was not taken. */
    boolean isForgotten(EventId id) {
        return unwanted.contains(id);
    }

    /** @param hints where else it may be */
    Answer forgotten(MissingAnswers missing, List<RelayUrl> hints) {
        return new Answer(
                        Verdict.REFUSED,
                        "It was offered and not taken within the last days; the reason is no longer remembered")
                .detail("Publish it here to hear the reason")
                .relays(missing.relays(hints, List.of()));
    }

    Optional<Refusal> find(Address address) {
        return refusals.find(address);
    }

    /** @param hints where else it may be */
    Answer answer(Refusal refusal, MissingAnswers missing, List<RelayUrl> hints) {
        Answer answer = switch (refusal.because()) {
            case RULE -> new Answer(Verdict.REFUSED, offered(refusal) + " and refused: " + reason(refusal));
            case FORGED ->
                new Answer(
                                Verdict.REFUSED,
                                offered(refusal) + " and refused, because it is not genuine: " + reason(refusal))
                        .detail("Anybody may have made it under this id; the true one may still come");
            case LACKS -> lacks(refusal, missing, hints);
            case SUPERSEDED ->
                new Answer(Verdict.SUPERSEDED, offered(refusal) + ", when a newer version was here already")
                        .detail("The newer version is the event " + by(refusal));
            case DELETED ->
                new Answer(Verdict.DELETED, offered(refusal) + " and refused: its author had deleted it")
                        .detail("The deletion request is the event " + by(refusal));
            case VANISHED ->
                new Answer(Verdict.VANISHED, offered(refusal) + " and refused: its author asked to vanish");
            case EXPIRED -> new Answer(Verdict.EXPIRED, offered(refusal) + " and refused: its expiry time had passed");
        };
        if (answer.repository.isEmpty() && isOfRepository(refusal)) {
            answer.repository(refusal.address().map(own -> new RepoAddress(own.pubkey(), own.identifier())));
        }
        return answer.about(about(refusal)).came(refusal.from(), refusal.at());
    }

    private static boolean isOfRepository(Refusal refusal) {
        return refusal.kind() == Kind.REPO_ANNOUNCEMENT || refusal.kind() == Kind.REPO_STATE;
    }

    Explanation.About about(Refusal refusal) {
        return new Explanation.About(
                refusal.id().hex(),
                refusal.kind(),
                KindName.of(refusal.kind()),
                Instant.ofEpochSecond(refusal.createdAt()),
                refusal.pubkey().hex());
    }

    private static String offered(Refusal refusal) {
        String who = refusal.from().relay().map(relay -> "offered by " + relay).orElse("published here directly");
        return "This %s was %s on %s".formatted(KindName.of(refusal.kind()), who, Words.at(refusal.at()));
    }

    private static String reason(Refusal refusal) {
        return Words.reason(refusal.message());
    }

    private static String by(Refusal refusal) {
        return refusal.by().map(EventId::hex).orElse("of its author");
    }

    /** What it refers to is not here: its repository above all, or else the event it answers. */
    private Answer lacks(Refusal refusal, MissingAnswers missing, List<RelayUrl> hints) {
        if (refusal.kind() == Kind.REPO_ANNOUNCEMENT) {
            return new Answer(Verdict.REFUSED, offered(refusal) + " and refused: " + reason(refusal));
        }
        if (refusal.lacks().stream().anyMatch(this::isHere)) {
            return new Answer(Verdict.WAITING, offered(refusal) + " before what it refers to was here, which it is now")
                    .detail("It is taken when it is offered again, at the latest when its relay is read once more,"
                            + " which happens once a day");
        }
        Optional<RepoAddress> repo = refusal.lacks().stream()
                .flatMap(lack -> RepoAddress.parse(lack).stream())
                .findFirst();
        Answer answer = repo.isPresent()
                ? notHosted(refusal, repo.get())
                : new Answer(
                        Verdict.WAITING,
                        refusal.lacks().isEmpty()
                                ? offered(refusal) + " and not taken: " + reason(refusal)
                                : offered(refusal) + " and waits for what it refers to, which is not here");
        for (String lack : refusal.lacks()) {
            EventId.parse(lack).ifPresent(id -> answer.detail("Missing is the event %s: %s".formatted(id, why(id))));
        }
        if (!refusal.lacks().isEmpty() && repo.isEmpty()) {
            answer.detail("As soon as that is here, this one is taken when it is offered again");
        }
        return answer.repository(repo)
                .relays(missing.relays(hints, repo.map(List::of).orElse(List.of())));
    }

    private boolean isHere(String lack) {
        return EventId.parse(lack).flatMap(facts.store()::find).isPresent()
                || Address.parse(lack).flatMap(facts::newest).isPresent();
    }

    private Answer notHosted(Refusal refusal, RepoAddress repo) {
        return new Answer(
                        Verdict.NOT_HOSTED,
                        "%s and not taken: it is about the repository %s, which is not hosted here"
                                .formatted(offered(refusal), repo.identifier()))
                .detail("Ask for " + repo + " to see why that repository is not here");
    }

    /** In a few words; whoever wants more asks for that event. */
    private String why(EventId id) {
        return facts.store()
                .whyGone(id)
                .map(gone -> switch (gone.why()) {
                    case DELETED -> "it was deleted by its author";
                    case SUPERSEDED -> "a newer version has replaced it";
                    case EXPIRED -> "it has expired";
                    case DELISTED -> "it took its repository off this service";
                })
                .or(() -> refusals.find(id).map(refused -> "it was refused: " + reason(refused)))
                .orElse("nobody has offered it");
    }
}
