package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.announcements;
import static dev.graspsync.sync.core.EngineScenario.id;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.sync.core.SyncSettings.Comparing;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules 17 to 20: what is compared (NIP-77), what comes of it, and what is done where that does not work. */
class ComparingTest {

    private static final Duration DAY = Duration.ofHours(24);

    private final EngineScenario scenario = new EngineScenario(SyncSettings.DEFAULTS.with(Comparing.FETCH));

    @BeforeEach
    void anOwnRelayThatHasBeenRead() {
        scenario.give(new SyncInput.SelfDrainBegan(scenario.now()));
        scenario.announce(1, 100, RELAY);
        scenario.give(new SyncInput.SelfDrained(scenario.now()));
    }

    private SyncAction.Reconcile compared() {
        return scenario.last(SyncAction.Reconcile.class).getFirst();
    }

    private void begin(SyncAction.Reconcile session) {
        scenario.give(new SyncInput.ReconcileBegan(scenario.now(), RELAY, session.session()));
    }

    private void found(SyncAction.Reconcile session, EventId... need) {
        scenario.give(new SyncInput.Reconciled(scenario.now(), RELAY, session.session(), List.of(need), 0));
    }

    private void failed(SyncAction.Reconcile session, ReconcileFailure why) {
        scenario.give(new SyncInput.ReconcileFailed(scenario.now(), RELAY, session.session(), why));
    }

    private void refused(SyncAction.Reconcile session, String reason) {
        failed(session, new ReconcileFailure.Refused(reason, OptionalLong.empty(), OptionalLong.empty()));
    }

    /** What {@code {}} was too different for goes on filter by filter: these. */
    private List<SyncAction.Reconcile> filters() {
        scenario.open(RELAY);
        failed(compared(), new ReconcileFailure.TooDifferent("much"));
        return scenario.last(SyncAction.Reconcile.class);
    }

    private boolean isPaged() {
        return scenario.history(announcements()).isPresent()
                && scenario.history(ofRepo(1)).isPresent();
    }

    @Test
    void rule17AFreshConnectComparesEverythingAtOnceAfterTheLiveSideIsOpen() {
        scenario.open(RELAY);

        assertThat(scenario.last(SyncAction.Reconcile.class))
                .singleElement()
                .extracting(SyncAction.Reconcile::filter)
                .isEqualTo(Filter.ALL);
        int live = scenario.last().indexOf(scenario.openLive(RELAY).getLast());
        assertThat(live).isBetween(0, scenario.last().indexOf(compared()));
        assertThat(scenario.openHistory(RELAY)).isEmpty();
    }

    @Test
    void rule17NothingMissingConfirmsEverything() {
        scenario.open(RELAY);
        found(compared());

        assertThat(scenario.found(Finding.Complete.class)).hasSize(1);
    }

    @Test
    void rule17AFreshSyncComparesAndAQuickReconnectDoesNot() {
        scenario.open(RELAY);
        found(compared());
        scenario.lose(RELAY).pass(Duration.ofMinutes(1)).open(RELAY);
        assertThat(scenario.last(SyncAction.Reconcile.class)).isEmpty();
        assertThat(isPaged()).isTrue();
        scenario.drain(RELAY);

        scenario.give(new SyncInput.FreshSyncNow(scenario.now(), RELAY));

        assertThat(compared().filter()).isEqualTo(Filter.ALL);
    }

    @Test
    void rule17EverythingIsComparedOnlyWhenItIsKnownWhatIsWanted() {
        EngineScenario starting = new EngineScenario(SyncSettings.DEFAULTS.with(Comparing.FETCH));
        starting.give(new SyncInput.SelfDrainBegan(starting.now()));
        starting.announce(1, 100, RELAY).open(RELAY);
        assertThat(starting.last(SyncAction.Reconcile.class)).isEmpty();

        starting.give(new SyncInput.SelfDrained(starting.now()));

        assertThat(starting.last(SyncAction.Reconcile.class)).hasSize(1);
    }

    @Test
    void rule17AnOwnRelayThatIsNeverReadToItsEndDoesNotHoldUpTheSync() {
        EngineScenario starting = new EngineScenario(SyncSettings.DEFAULTS.with(Comparing.FETCH));
        starting.announce(1, 100, RELAY).open(RELAY);

        starting.pass(Duration.ofMinutes(3));

        assertThat(starting.last(SyncAction.Reconcile.class)).isNotEmpty();
    }

    @Test
    void rule19WhatIsMissingIsFetchedByIdInChunksAndThenConfirmed() {
        scenario.open(RELAY);
        found(compared(), IntStream.range(0, 250).mapToObj(EngineScenario::id).toArray(EventId[]::new));

        List<SyncAction.Subscribe> fetches = scenario.openHistory(RELAY);
        assertThat(fetches).hasSize(3);
        fetches.forEach(this::deliverAll);

        assertThat(scenario.found(Finding.Complete.class)).hasSize(1);
    }

    private void deliverAll(SyncAction.Subscribe fetch) {
        deliver(fetch, fetch.page().filters().getFirst().ids().orElseThrow());
    }

    private void deliver(SyncAction.Subscribe fetch, Set<EventId> ids) {
        PageResult page =
                new PageResult(ids.size(), ids.size(), List.of(new PageResult.Read(ids.size(), 7, Set.of())), 0, ids);
        scenario.give(new SyncInput.PageEnded(scenario.now(), RELAY, fetch.subscription(), page, Hint.NONE));
    }

    @Test
    void rule19ARelayThatHandsOutFewAtOnceIsAskedForTheRest() {
        scenario.open(RELAY);
        found(compared(), id(1), id(2), id(3));

        deliver(scenario.openHistory(RELAY).getFirst(), Set.of(id(2)));
        assertThat(scenario.openHistory(RELAY)
                        .getFirst()
                        .page()
                        .filters()
                        .getFirst()
                        .ids())
                .contains(new LinkedHashSet<>(List.of(id(1), id(3))));
        deliverAll(scenario.openHistory(RELAY).getFirst());

        assertThat(scenario.found(Finding.Complete.class)).hasSize(1);
    }

    @Test
    void rule19WhatItClaimsAndDoesNotDeliverIsAskedForOnceMoreAndThenByPages() {
        scenario.open(RELAY);
        found(compared(), id(1), id(2));
        deliver(scenario.openHistory(RELAY).getFirst(), Set.of());
        assertThat(scenario.openHistory(RELAY)).hasSize(1);

        deliver(scenario.openHistory(RELAY).getFirst(), Set.of());

        assertThat(scenario.found(Finding.FellBack.class))
                .extracting(Finding.FellBack::reason)
                .containsExactly(Fallback.UNDELIVERED);
        assertThat(isPaged()).isTrue();
    }

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

        scenario.pass(Duration.ofSeconds(61));

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
