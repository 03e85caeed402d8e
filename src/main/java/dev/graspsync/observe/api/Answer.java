package dev.graspsync.observe.api;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.observe.api.Explanation.Verdict;
import dev.graspsync.store.GoneEvent;
import dev.graspsync.store.Provenance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An {@link Explanation} while it is put together. */
final class Answer {

    final Verdict verdict;
    final String summary;
    final List<String> details = new ArrayList<>();
    Optional<Explanation.About> event = Optional.empty();
    Optional<EventDetail.Came> provenance = Optional.empty();
    Optional<RepoAddress> repository = Optional.empty();
    List<Explanation.AtRelay> relays = List.of();

    Answer(Verdict verdict, String summary) {
        this.verdict = verdict;
        this.summary = Words.sentence(summary);
    }

    Answer detail(String sentence) {
        details.add(Words.sentence(sentence));
        return this;
    }

    Answer about(EventFields of) {
        event = Optional.of(Explanation.About.of(of));
        repository = StoredFacts.repositoryOf(of);
        return this;
    }

    Answer about(GoneEvent of) {
        event = Optional.of(Explanation.About.of(of));
        return this;
    }

    Answer about(Explanation.About of) {
        event = Optional.of(of);
        return this;
    }

    Answer came(Provenance from, Instant firstSeen) {
        provenance = Optional.of(EventDetail.Came.of(from, firstSeen));
        return this;
    }

    Answer repository(Optional<RepoAddress> of) {
        repository = of;
        return this;
    }

    Answer relays(List<Explanation.AtRelay> of) {
        relays = of;
        return this;
    }

    Explanation to(Question question) {
        Optional<String> none = Optional.empty();
        return switch (question) {
            case Question.OfEvent asked ->
                of(
                        question,
                        "event",
                        Optional.of(asked.id().hex()),
                        none,
                        event.map(Explanation.About::pubkey)
                                .or(() -> asked.author().map(Object::toString)));
            case Question.OfAddress asked ->
                of(
                        question,
                        "address",
                        event.map(Explanation.About::id),
                        Optional.of(asked.address().toString()),
                        Optional.of(asked.address().pubkey().hex()));
            case Question.OfAuthor asked ->
                of(question, "author", none, none, Optional.of(asked.pubkey().hex()));
        };
    }

    private Explanation of(
            Question question, String type, Optional<String> id, Optional<String> address, Optional<String> pubkey) {
        return new Explanation(
                question.text(),
                type,
                id,
                address,
                pubkey,
                verdict == Verdict.HERE,
                verdict.toString(),
                summary,
                details,
                event,
                provenance,
                repository.map(RepoAddress::toString),
                relays);
    }
}
