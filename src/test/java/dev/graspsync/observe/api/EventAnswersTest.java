package dev.graspsync.observe.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.observe.api.Explanation.Verdict;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.sync.OwnRefusal;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.wire.EventJson;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The answers that no client can bring about by itself; ExplainIT has the others. */
@QuarkusTest
class EventAnswersTest {

    private static final RelayUrl ELSEWHERE =
            RelayUrl.parse("wss://elsewhere.example").orElseThrow();
    private static final RelayUrl OWN = RelayUrl.parse("wss://own.example").orElseThrow();

    @Inject
    Relay relay;

    @Inject
    SyncManager sync;

    @Inject
    RelaySearch search;

    private Answer answer(Event event, Optional<OwnRefusal> ofOwnRelay) {
        StoredFacts facts = new StoredFacts(relay.store());
        EventAnswers answers = new EventAnswers(
                facts,
                new RefusalAnswers(
                        facts, relay.ingest().refusals(), relay.ingest().unwanted()),
                new MissingAnswers(sync, search, "relay.example"),
                id -> ofOwnRelay);
        return answers.answer(new Question.OfEvent(event.id().hex(), event.id(), List.of(), Optional.empty()));
    }

    @Test
    void whatWasOfferedLongAgoIsNotSaidToBeNeverOffered() {
        Event event = TestKeys.BOB.sign(1621, 1_000, List.of(), "refused long ago");
        relay.ingest().unwanted().add(event, Instant.now());

        Answer answer = answer(event, Optional.empty());

        assertThat(answer.verdict).isEqualTo(Verdict.REFUSED);
        assertThat(answer.summary).contains("was offered and not taken", "the reason is no longer remembered");
    }

    @Test
    void whatTheRelayOfASidecarRefusedIsNotSaidToBeHere() {
        Event event = TestKeys.BOB.sign(1621, 1_000, List.of(), "refused by the own relay");
        try (WriteBatch batch = relay.store().begin()) {
            batch.save(EventJson.encode(event), 1, Provenance.from(ELSEWHERE, Provenance.Way.LIVE), 1_000);
            batch.commit();
        }

        Answer refused = answer(
                event,
                Optional.of(new OwnRefusal(OWN, "blocked: no spam, please", Instant.parse("2026-01-01T12:00:00Z"))));

        assertThat(refused.verdict).isEqualTo(Verdict.REFUSED);
        assertThat(refused.summary)
                .isEqualTo("This issue came from wss://elsewhere.example as it was published there, and"
                        + " wss://own.example did not take it: no spam, please.");
        assertThat(refused.details).anyMatch(detail -> detail.contains("2026-01-01 12:00 UTC"));
        assertThat(answer(event, Optional.empty()).verdict).isEqualTo(Verdict.HERE);
    }
}
