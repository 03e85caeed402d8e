package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.announcements;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Filter;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Rule 20: relays that do not compare (NIP-77), or not so much, or not now, or not honestly. */
class ComparingFailsTest extends ComparingScenario {

    private static final Duration DAY = Duration.ofHours(24);

    @Test
    void rule20ANoticeWithoutAnIdMeansThatItDoesNotCompareAndIsRememberedForADay() {
        scenario.open(RELAY);
        begin(compared());
        scenario.give(new SyncInput.Noticed(scenario.now(), RELAY, "ERROR: bad msg: unknown cmd NEG-OPEN"));
        assertThat(scenario.last(SyncAction.Remember.class).getLast().record().negentropyRetryAt())
                .contains(scenario.now().plus(DAY));
        assertThat(isPaged()).isTrue();
        scenario.drain(RELAY);

        scenario.give(new SyncInput.FreshSyncNow(scenario.now(), RELAY));
        assertThat(scenario.last(SyncAction.Reconcile.class)).isEmpty();
        assertThat(scenario.found(Finding.FellBack.class)).isEmpty();
        scenario.passAnswering(DAY.plusHours(2), RELAY);

        scenario.give(new SyncInput.FreshSyncNow(scenario.now(), RELAY));
        assertThat(scenario.last(SyncAction.Reconcile.class)).hasSize(1);
    }

    @Test
    void rule20WithoutAFirstAnswerItDoesNotCompare() {
        scenario.open(RELAY);
        begin(compared());

        scenario.pass(Duration.ofSeconds(21));

        assertThat(scenario.found(Finding.FellBack.class))
                .extracting(Finding.FellBack::reason)
                .containsExactly(Fallback.UNSUPPORTED);
        assertThat(isPaged()).isTrue();
    }

    @Test
    void rule20WhoHangsUpIsNotComparedWithOnTheNextConnection() {
        scenario.open(RELAY);
        begin(compared());
        scenario.lose(RELAY)
                .passUntil(Duration.ofMinutes(1), SyncAction.Connect.class::isInstance)
                .open(RELAY);

        assertThat(scenario.last(SyncAction.Reconcile.class)).isEmpty();
        assertThat(isPaged()).isTrue();
    }

    @Test
    void rule20ATransientErrorIsTriedLaterAndThenGivenUp() {
        scenario.open(RELAY);
        refused(compared(), "closed: session timed out");
        assertThat(scenario.openHistory(RELAY)).isEmpty();

        scenario.pass(Duration.ofMinutes(3));
        assertThat(compared().filter()).isEqualTo(Filter.ALL);
        refused(compared(), "error: again");

        assertThat(isPaged()).isTrue();
    }

    @Test
    void rule20ARelayWithMoreThanItComparesIsComparedFilterByFilter() {
        scenario.open(RELAY);
        failed(
                compared(),
                new ReconcileFailure.Refused(
                        "blocked: too many query results", OptionalLong.of(1_000_000), OptionalLong.of(7)));

        assertThat(scenario.last(SyncAction.Reconcile.class))
                .extracting(SyncAction.Reconcile::filter)
                .anyMatch(announcements())
                .anyMatch(ofRepo(1));
    }

    @Test
    void rule20AFilterWithTooManyResultsIsHalvedInTimeAgainAndAgainButNotForEver() {
        SyncAction.Reconcile session = filters().getFirst();
        failed(session, new ReconcileFailure.Refused("RESULTS_TOO_BIG", OptionalLong.empty(), OptionalLong.of(500)));
        assertThat(scenario.last(SyncAction.Reconcile.class))
                .extracting(next -> next.filter().since(), next -> next.filter().until())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(OptionalLong.empty(), OptionalLong.of(500)),
                        org.assertj.core.groups.Tuple.tuple(OptionalLong.of(501), OptionalLong.empty()));

        int rounds = 0;
        for (SyncAction.Reconcile next = compared(); rounds < 100; rounds++) {
            refused(next, "RESULTS_TOO_BIG");
            if (scenario.last(SyncAction.Reconcile.class).isEmpty()) {
                break;
            }
            next = compared();
        }

        assertThat(rounds).isLessThan(20);
        assertThat(scenario.found(Finding.FellBack.class))
                .extracting(Finding.FellBack::reason)
                .containsExactly(Fallback.OVERFLOW);
        assertThat(scenario.history(announcements())).isPresent();
    }

    @Test
    void aFilterThatIsTooDifferentIsPagedWhileOthersAreCompared() {
        List<SyncAction.Reconcile> sessions = filters();
        failed(sessions.getFirst(), new ReconcileFailure.TooDifferent("nothing of it is here"));

        assertThat(scenario.history(announcements())).isPresent();
        assertThat(scenario.history(ofRepo(1))).isEmpty();
        scenario.drain(RELAY);
        sessions.stream().skip(1).forEach(this::found);

        assertThat(scenario.found(Finding.Complete.class)).hasSize(1);
    }

    @Test
    void garbageEndsComparingUntilTheNextFreshSync() {
        List<SyncAction.Reconcile> sessions = filters();

        failed(sessions.getFirst(), new ReconcileFailure.Broken("no message"));

        assertThat(isPaged()).isTrue();
        assertThat(scenario.last(SyncAction.Unsubscribe.class)).hasSize(sessions.size() - 1);
    }

    @Test
    void rule7AuthRequiredAuthenticatesAndComparesAgain() {
        scenario.open(RELAY);
        refused(compared(), "auth-required: who are you?");
        assertThat(scenario.last(SyncAction.Authenticate.class)).hasSize(1);

        scenario.give(new SyncInput.Authenticated(scenario.now(), RELAY, true, ""));

        assertThat(scenario.last(SyncAction.Reconcile.class)).hasSize(1);
    }
}
