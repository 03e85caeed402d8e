package dev.graspsync.observe.api;

import dev.graspsync.relay.Relay;
import dev.graspsync.sync.SyncManager;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Answers whether something is here and, if it is not, why. Reads the store, so not on an event loop. */
@ApplicationScoped
class Explainer {

    private final EventAnswers events;
    private final AddressAnswers addresses;
    private final AuthorAnswers authors;

    @Inject
    Explainer(Relay relay, SyncManager sync, RelaySearch search) {
        StoredFacts facts = new StoredFacts(relay.store());
        RefusalAnswers refusals = new RefusalAnswers(
                facts, relay.ingest().refusals(), relay.ingest().unwanted());
        MissingAnswers missing = new MissingAnswers(sync, search, relay.config().domain());
        this.events = new EventAnswers(facts, refusals, missing, sync::refusedByOwnRelay);
        this.addresses =
                new AddressAnswers(facts, refusals, missing, relay.config().domain());
        this.authors = new AuthorAnswers(facts, missing);
    }

    Explanation explain(Question question) {
        Answer answer = switch (question) {
            case Question.OfEvent asked -> events.answer(asked);
            case Question.OfAddress asked -> addresses.answer(asked);
            case Question.OfAuthor asked -> authors.answer(asked);
        };
        return answer.to(question);
    }
}
