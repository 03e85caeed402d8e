package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.Provenance.Way;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sidecar mode: what other relays had is published to the own one, whatever it answers first. */
@QuarkusTest
class OwnRelayPublisherTest extends PublishingFixture {

    @Test
    void whatCameFromElsewhereIsPublishedAndWhatCameFromTheOwnRelayIsNot() {
        Event back = stored("own", Provenance.from(url(), Way.LIVE));
        Event found = stored("found", Provenance.from(ELSEWHERE, Way.CATCH_UP));

        publisher.start();

        await().until(() -> accepted.contains(found.id()));
        assertThat(offers).doesNotContainKey(back.id());
    }

    @Test
    void aRateLimitIsWaitedForAndTheEventSentAgain() {
        AtomicInteger refusals = new AtomicInteger();
        answer = event -> refusals.getAndIncrement() < 2
                ? new RelayMessage.Ok(event.id(), false, "rate-limited: slow down")
                : accept(event);
        Event found = stored("limited", Provenance.from(ELSEWHERE, Way.LIVE));

        publisher.start();

        await().atMost(Duration.ofSeconds(20)).until(() -> accepted.contains(found.id()));
        assertThat(offers.get(found.id())).isGreaterThanOrEqualTo(2);
    }

    @Test
    void whatIsRefusedForGoodDoesNotHoldUpTheRest() {
        answer = event -> event.content().startsWith("bad")
                ? new RelayMessage.Ok(event.id(), false, "blocked: not here")
                : accept(event);
        Event refused = stored("bad", Provenance.from(ELSEWHERE, Way.LIVE));
        Event found = stored("good", Provenance.from(ELSEWHERE, Way.LIVE));

        publisher.start();

        await().until(() -> accepted.contains(found.id()));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> health.published(url()).upTo() >= own.store().lastSeq());
        assertThat(offers.get(refused.id())).isEqualTo(1);
        assertThat(publisher.publishing()).isEqualTo(new Publishing(0, 0, 1));
        assertThat(publisher.refusal(refused.id()))
                .hasValueSatisfying(refusal -> assertThat(refusal.why()).isEqualTo("blocked: not here"));
        assertThat(publisher.refusal(found.id())).isEmpty();
    }

    @Test
    void aChallengeIsAnsweredOnceAndTheEventsAreSentAgain() {
        answer = event ->
                authenticated ? accept(event) : new RelayMessage.Ok(event.id(), false, "auth-required: who are you?");
        Event first = stored("first", Provenance.from(ELSEWHERE, Way.LIVE));
        Event second = stored("second", Provenance.from(ELSEWHERE, Way.LIVE));

        publisher.start();

        await().atMost(Duration.ofSeconds(20)).until(() -> accepted.containsAll(Set.of(first.id(), second.id())));
        await().until(() -> publisher.publishing().equals(Publishing.NOTHING));
    }

    @Test
    void whatIsSetAsideIsTriedAgainAfterARestart() {
        Event bad = stored("bad", Provenance.from(ELSEWHERE, Way.LIVE));
        health.published(
                url(), new Published(own.store().lastSeq(), List.of(own.store().lastSeq())));

        publisher.start();

        await().atMost(Duration.ofSeconds(20)).until(() -> accepted.contains(bad.id()));
        await().until(() -> health.published(url()).aside().isEmpty());
    }
}
