package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.announcements;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Filter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Rule 20: relays that do not compare (NIP-77), or not so much, or not now, or not honestly. */
class ComparingFailsTest extends ComparingScenario {

    private static final Duration DAY = Duration.ofHours(24);
    /** Longer than the wait after an error, and too short for the next deadline. */
    private static final Duration A_WHILE = Duration.ofSeconds(150);

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
    void rule20AnAnswerThatWaitsBehindWhatIsNotReadHereIsNotMissed() {
        scenario.open(RELAY);
        begin(compared());

        for (int i = 0; i < 20; i++) {
            scenario.pass(Duration.ofSeconds(5)).give(new SyncInput.HeldBack(scenario.now(), RELAY));
        }

        assertThat(scenario.openHistory(RELAY)).isEmpty();
        scenario.pass(Duration.ofSeconds(21));
        assertThat(isPaged()).isTrue();
    }

    @Test
    void rule20AnAnswerThatWaitsBehindPagesIsNotMissed() {
        List<SyncAction.Reconcile> sessions = filters();
        failed(sessions.getFirst(), new ReconcileFailure.TooDifferent("nothing of it is here"));
        SyncAction.Subscribe pages = scenario.history(announcements()).orElseThrow();
        begin(sessions.get(1));

        for (int i = 0; i < 6; i++) {
            scenario.pass(Duration.ofSeconds(15))
                    .give(new SyncInput.Progressed(scenario.now(), RELAY, pages.subscription()));
        }
        assertThat(scenario.found(Finding.FellBack.class)).isEmpty();

        scenario.pass(Duration.ofSeconds(21));
        assertThat(scenario.found(Finding.FellBack.class))
                .extracting(Finding.FellBack::reason)
                .contains(Fallback.UNSUPPORTED);
    }

    @Test
    void rule6NoComparisonWaitsForEver() {
        scenario.open(RELAY);
        begin(compared());

        for (int i = 0; i < 400 && scenario.last(SyncAction.Unsubscribe.class).isEmpty(); i++) {
            scenario.give(new SyncInput.HeldBack(scenario.now(), RELAY)).pass(Duration.ofSeconds(5));
        }

        assertThat(scenario.last(SyncAction.Unsubscribe.class)).hasSize(1);
        assertThat(scenario.found(Finding.FellBack.class)).isEmpty();
    }

    @Test
    void whatHasNoRoomHereIsComparedLaterHoweverOftenTheRelayHadFailed() {
        scenario.open(RELAY);
        refused(compared(), "closed: session timed out");
        scenario.pass(A_WHILE);

        for (int i = 0; i < 5; i++) {
            failed(compared(), new ReconcileFailure.Failed("too many comparisons at once"));
            assertThat(scenario.last(SyncAction.Reconcile.class)).isEmpty();
            assertThat(scenario.openHistory(RELAY)).isEmpty();
            scenario.pass(A_WHILE);
            assertThat(compared().filter()).isEqualTo(Filter.ALL);
        }

        failed(compared(), new ReconcileFailure.Failed("too many comparisons at once"));
        scenario.pass(A_WHILE);
        assertThat(isPaged()).as("what never finds room").isTrue();
    }

    @Test
    void whatIsNotReadHereInTimeIsNoFailureOfTheRelay() {
        scenario.open(RELAY);
        compared();

        scenario.passUntil(Duration.ofMinutes(2), SyncAction.Unsubscribe.class::isInstance);

        assertThat(scenario.found(Finding.Returned.class))
                .extracting(Finding.Returned::outcome)
                .allMatch(Outcome.Delayed.class::isInstance);
        scenario.pass(A_WHILE);
        assertThat(compared().filter()).isEqualTo(Filter.ALL);
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

        scenario.pass(A_WHILE);
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
    void rule20WhoRefusesEveryWindowIsAskedForSoManyAndNoMore() {
        Deque<SyncAction.Reconcile> open = new ArrayDeque<>(filters());
        int asked = open.size();
        while (!open.isEmpty()) {
            refused(open.poll(), "RESULTS_TOO_BIG");
            List<SyncAction.Reconcile> next = scenario.last(SyncAction.Reconcile.class);
            asked += next.size();
            open.addAll(next);
            scenario.drain(RELAY); // what is read by pages instead
            next = scenario.last(SyncAction.Reconcile.class);
            asked += next.size();
            open.addAll(next);
        }

        assertThat(asked).isBetween(64, 200);
        assertThat(scenario.found(Finding.Complete.class)).hasSize(1);
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
