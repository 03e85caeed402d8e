package dev.graspsync.observe.api;

import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.observe.api.Explanation.Verdict;
import dev.graspsync.store.StoredEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** About all that one author wrote. */
record AuthorAnswers(StoredFacts facts, MissingAnswers missing) {

    private static final int COUNTED = 1_000;
    private static final int REPOSITORIES = 10;

    Answer answer(Question.OfAuthor asked) {
        Filter own = Filter.ALL.withAuthors(Set.of(asked.pubkey()));
        Optional<StoredEvent> vanish = facts.vanishOf(asked.pubkey());
        List<StoredEvent> events = facts.some(own, COUNTED).stream()
                .filter(event -> event.kind() != Kind.VANISH)
                .toList();
        if (events.isEmpty()) {
            return vanish.map(AuthorAnswers::vanished)
                    .orElseGet(() -> missing.answer("Anything by this author", asked.hints(), List.of()));
        }
        String many =
                events.size() >= COUNTED ? "At least " + COUNTED + " events" : Words.counted(events.size(), "event");
        Answer answer = new Answer(
                Verdict.HERE,
                "%s by this author %s here, the newest of %s"
                        .formatted(
                                many,
                                events.size() == 1 ? "is" : "are",
                                Words.atSecond(events.getFirst().createdAt())));
        vanish.ifPresent(request -> answer.detail("They asked to vanish: what they had written up to %s was removed"
                .formatted(Words.atSecond(request.createdAt()))));
        repositories(asked.pubkey()).forEach(repo -> answer.detail("They host the repository " + repo + " here"));
        return answer.detail("Other things they wrote may be elsewhere: this service takes what concerns the"
                + " repositories hosted here");
    }

    private List<String> repositories(PublicKey author) {
        return facts
                .some(Filter.ALL.withKinds(Kind.REPO_ANNOUNCEMENT).withAuthors(Set.of(author)), REPOSITORIES)
                .stream()
                .flatMap(event -> StoredFacts.repositoryOf(event).stream())
                .map(Object::toString)
                .toList();
    }

    private static Answer vanished(StoredEvent request) {
        return new Answer(
                        Verdict.VANISHED,
                        "Nothing by this author is here: they asked to vanish, so everything they had written up to %s was removed"
                                .formatted(Words.atSecond(request.createdAt())))
                .detail("The request to vanish is the event " + request.id());
    }
}
