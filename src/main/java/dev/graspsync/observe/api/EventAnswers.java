package dev.graspsync.observe.api;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.observe.api.Explanation.Verdict;
import dev.graspsync.store.GoneEvent;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.sync.OwnRefusal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * About one event, by its id.
 *
 * @param refusedByOwnRelay where the own relay is another one, and what is stored here is only an index of it
 */
record EventAnswers(
        StoredFacts facts,
        RefusalAnswers refusals,
        MissingAnswers missing,
        Function<EventId, Optional<OwnRefusal>> refusedByOwnRelay) {

    private static final int REPOSITORIES = 20;

    Answer answer(Question.OfEvent asked) {
        Optional<StoredEvent> here = facts.store().find(asked.id());
        if (here.isPresent()) {
            return here.get().isExpired(Instant.now().getEpochSecond())
                    ? expired(here.get())
                    : refusedByOwnRelay
                            .apply(asked.id())
                            .map(refusal -> refused(here.get(), refusal))
                            .orElseGet(() -> here(here.get()));
        }
        return facts.store()
                .whyGone(asked.id())
                .map(this::gone)
                .or(() -> refusals.find(asked.id()).map(refused -> refusals.answer(refused, missing, asked.hints())))
                .or(() -> vanished(asked))
                .or(() -> deletedUnseen(asked))
                .or(() -> refusals.isForgotten(asked.id())
                        ? Optional.of(refusals.forgotten(missing, asked.hints()))
                        : Optional.empty())
                .orElseGet(() -> neverOffered(asked));
    }

    static Answer here(StoredEvent event) {
        Instant firstSeen = Instant.ofEpochSecond(event.firstSeen());
        return new Answer(
                        Verdict.HERE,
                        "This %s is here: on %s it %s"
                                .formatted(
                                        KindName.of(event.kind()), Words.at(firstSeen), Words.came(event.provenance())))
                .about(event)
                .came(event.provenance(), firstSeen);
    }

    /** It is known here, and not where people look. */
    private static Answer refused(StoredEvent event, OwnRefusal refusal) {
        Instant firstSeen = Instant.ofEpochSecond(event.firstSeen());
        return new Answer(
                        Verdict.REFUSED,
                        "This %s %s, and %s did not take it: %s"
                                .formatted(
                                        KindName.of(event.kind()),
                                        Words.came(event.provenance()),
                                        refusal.relay(),
                                        Words.reason(refusal.why())))
                .detail("It was offered to %s on %s".formatted(refusal.relay(), Words.at(refusal.at())))
                .about(event)
                .came(event.provenance(), firstSeen);
    }

    /** It is no longer served, and removed in a moment. */
    private static Answer expired(StoredEvent event) {
        Instant firstSeen = Instant.ofEpochSecond(event.firstSeen());
        return new Answer(Verdict.EXPIRED, wasHereAndExpired(KindName.of(event.kind())))
                .about(event)
                .came(event.provenance(), firstSeen);
    }

    static String wasHereAndExpired(String what) {
        return "This %s was here and carried an expiry time, which has passed".formatted(what);
    }

    private Answer gone(GoneEvent gone) {
        String what = KindName.of(gone.kind());
        Answer answer = switch (gone.why()) {
            case DELETED -> deleted(what, gone);
            case SUPERSEDED -> superseded(what, gone);
            case EXPIRED ->
                new Answer(
                        Verdict.EXPIRED,
                        "This %s was here and carried an expiry time, which has passed".formatted(what));
            case DELISTED ->
                new Answer(
                        Verdict.REFUSED,
                        "This repository announcement was offered and is not served: it took the repository"
                                + " off this service, which it no longer lists");
        };
        Instant firstSeen = Instant.ofEpochSecond(gone.firstSeen());
        if (gone.why() != GoneEvent.Why.DELISTED) {
            answer.detail("On %s it %s".formatted(Words.at(firstSeen), Words.came(gone.from())));
        }
        return answer.about(gone).came(gone.from(), firstSeen);
    }

    private Answer deleted(String what, GoneEvent gone) {
        String when = facts.store()
                .find(gone.by())
                .map(EventFields::createdAt)
                .map(at -> " on " + Words.atSecond(at))
                .orElse("");
        return new Answer(Verdict.DELETED, "This %s was here, and its author deleted it%s".formatted(what, when))
                .detail("The deletion request is the event " + gone.by());
    }

    private Answer superseded(String what, GoneEvent gone) {
        Answer answer =
                new Answer(Verdict.SUPERSEDED, "This %s was here, and a newer version has replaced it".formatted(what));
        if (facts.store().find(gone.by()).isPresent()) {
            return answer.detail("The newer version, which is here, is the event " + gone.by());
        }
        answer.detail("The version that replaced it is the event " + gone.by() + ", which is no longer here either");
        facts.store()
                .whyGone(gone.by())
                .filter(next -> next.why() == GoneEvent.Why.DELISTED)
                .ifPresent(next -> answer.detail("That version took the repository off this service"));
        return answer;
    }

    private Optional<Answer> vanished(Question.OfEvent asked) {
        return asked.author()
                .flatMap(facts::vanishOf)
                .map(
                        request -> new Answer(
                                        Verdict.VANISHED,
                                        "It is not here: its author asked to vanish, so everything they had written up to %s was removed"
                                                .formatted(Words.atSecond(request.createdAt())))
                                .detail("The request to vanish is the event " + request.id())
                                .detail(
                                        "Of what is removed so no trace is kept; had this been written later, it could be here"));
    }

    /** It was deleted elsewhere before it could come here. */
    private Optional<Answer> deletedUnseen(Question.OfEvent asked) {
        return asked.author()
                .flatMap(author -> facts.deletionOf(asked.id(), Optional.of(author)))
                .map(deletion -> new Answer(
                                Verdict.DELETED,
                                "It never came here, and a deletion request of %s by its author names it"
                                        .formatted(Words.atSecond(deletion.createdAt())))
                        .detail("The deletion request is the event " + deletion.id())
                        .repository(StoredFacts.repositoryOf(deletion)));
    }

    /** Anybody may ask for the deletion of anything: without the author's key it says little. */
    private void mentionDeletion(Question.OfEvent asked, Answer answer) {
        if (asked.author().isEmpty()) {
            facts.deletionOf(asked.id(), Optional.empty())
                    .ifPresent(deletion -> answer.detail(
                            "The deletion request %s by %s names it: if that is its author, the event is refused wherever it comes from; if not, the request means nothing"
                                    .formatted(deletion.id(), deletion.pubkey())));
        }
    }

    private Answer neverOffered(Question.OfEvent asked) {
        List<RepoAddress> own = asked.author().map(this::repositoriesOf).orElse(List.of());
        Answer answer = missing.answer("It", asked.hints(), own);
        mentionDeletion(asked, answer);
        PublicKey same = PublicKey.ofBytes(asked.id().bytes());
        facts.newest(Filter.ALL.withAuthors(Set.of(same)))
                .ifPresent(event -> answer.detail(
                        "The same 64 digits are the public key of an author who has events here: ask for their npub"));
        return answer;
    }

    private List<RepoAddress> repositoriesOf(PublicKey author) {
        return facts
                .some(Filter.ALL.withKinds(Kind.REPO_ANNOUNCEMENT).withAuthors(Set.of(author)), REPOSITORIES)
                .stream()
                .flatMap(event -> StoredFacts.repositoryOf(event).stream())
                .toList();
    }
}
