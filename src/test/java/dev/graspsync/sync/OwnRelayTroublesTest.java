package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.Provenance.Way;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sidecar mode: what the own relay does not take holds nothing else up, and is not forgotten. */
@QuarkusTest
class OwnRelayTroublesTest extends PublishingFixture {

    /** Of a few more events than wait for an answer at a time, and one good one behind them. */
    private Event behindBadOnes() {
        for (int i = 0; i < 70; i++) {
            stored("bad", Provenance.from(ELSEWHERE, Way.LIVE));
        }
        return stored("good", Provenance.from(ELSEWHERE, Way.LIVE));
    }

    private static boolean isBad(Event event) {
        return event.content().startsWith("bad");
    }

    /** Lets the time pass that an answer may take, as often as it needs. */
    private void awaitWhileTimePasses(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    ahead = ahead.plus(Unanswered.ANSWER);
                    return condition.call();
                });
    }

    private void badOnesAreSetAsideAndTriedAgain(int bad) {
        awaitWhileTimePasses(() -> publisher.publishing().equals(new Publishing(0, bad, 0)));
        assertThat(health.published(url()).aside()).hasSize(bad);

        answer = this::accept;
        hangsUpAt = event -> false;
        ahead = ahead.plus(SetAside.EVERY);

        await().atMost(Duration.ofSeconds(20))
                .until(() -> publisher.publishing().equals(Publishing.NOTHING));
        assertThat(accepted).hasSize(bad + 1);
    }

    @Test
    void eventsThatAreNeverAnsweredDoNotStopTheOthersAndAreTriedAgain() {
        answer = event -> isBad(event) ? null : accept(event);
        Event good = behindBadOnes();

        publisher.start();

        awaitWhileTimePasses(() -> accepted.contains(good.id()));
        badOnesAreSetAsideAndTriedAgain(70);
    }

    @Test
    void eventsAnsweredByAnErrorAgainAndAgainDoNotStopTheOthers() {
        answer = event -> isBad(event) ? new RelayMessage.Ok(event.id(), false, "error: not now") : accept(event);
        Event good = behindBadOnes();

        publisher.start();

        awaitWhileTimePasses(() -> accepted.contains(good.id()));
        badOnesAreSetAsideAndTriedAgain(70);
    }

    @Test
    void anEventTheRelayHangsUpAtDoesNotStopTheOthers() {
        hangsUpAt = OwnRelayTroublesTest::isBad;
        answer = event -> isBad(event) ? null : accept(event);
        stored("bad", Provenance.from(ELSEWHERE, Way.LIVE));
        Event good = stored("good", Provenance.from(ELSEWHERE, Way.LIVE));

        publisher.start();

        awaitWhileTimePasses(() -> accepted.contains(good.id()));
        badOnesAreSetAsideAndTriedAgain(1);
    }

    @Test
    void aDropWhileAnEventIsNotAnsweredDoesNotStopTheOthers() {
        AtomicInteger drops = new AtomicInteger();
        answer = event -> isBad(event) ? null : accept(event);
        hangsUpAt = event -> isBad(event) && drops.getAndIncrement() == 0;
        stored("bad", Provenance.from(ELSEWHERE, Way.LIVE));
        publisher.start();
        await().atMost(Duration.ofSeconds(20)).until(() -> drops.get() > 1);

        Event good = stored("good", Provenance.from(ELSEWHERE, Way.LIVE));

        awaitWhileTimePasses(() -> accepted.contains(good.id()));
        badOnesAreSetAsideAndTriedAgain(1);
    }

    @Test
    void anEventThatIsRefusedWhoeverAsksDoesNotStopTheOthers() {
        answer = event -> authenticated && !isBad(event)
                ? accept(event)
                : new RelayMessage.Ok(event.id(), false, "auth-required: only by its author");
        Event good = behindBadOnes();

        publisher.start();

        awaitWhileTimePasses(() -> accepted.contains(good.id()));
        badOnesAreSetAsideAndTriedAgain(70);
    }
}
