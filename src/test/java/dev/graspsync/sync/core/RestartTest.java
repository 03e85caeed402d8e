package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.OTHER;
import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.announcements;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static dev.graspsync.sync.core.EngineScenario.ofRoot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Filter;
import dev.graspsync.sync.core.SyncSettings.KnownRelays;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Rules 8 and 22 across restarts: what is remembered is believed as far as it still fits what the own relay has. */
class RestartTest {

    private static final Duration MOMENT = Duration.ofSeconds(20);

    private final EngineScenario scenario = new EngineScenario();

    @Test
    void rule8AQuickRestartAsksForWhatWasConfirmedFromTheLastContactOn() {
        synced();
        Instant remembered = scenario.now();
        scenario.restart(MOMENT).announce(1, 10, RELAY).roots(1, 1, 2);
        assertThat(scenario.last(SyncAction.Connect.class))
                .as("what is wanted is still being read")
                .isEmpty();
        scenario.drained();
        assertThat(scenario.last(SyncAction.Connect.class)).hasSize(1);
        scenario.open(RELAY);

        List<SyncAction.Subscribe> asked = scenario.drainAndCollect(RELAY, any());
        assertThat(asked).isNotEmpty().allSatisfy(request -> {
            assertThat(request.purpose()).isEqualTo(Purpose.CATCH_UP);
            assertThat(request.page().filters().getFirst().since())
                    .hasValue(remembered.minus(Duration.ofMinutes(15)).getEpochSecond());
        });
        assertThat(asked)
                .anyMatch(about(announcements()))
                .anyMatch(about(ofRepo(1)))
                .anyMatch(about(ofRoot(2)));
    }

    @Test
    void rule8ARepositoryThatIsNewSinceARestartIsAskedForInFull() {
        synced();
        scenario.restart(MOMENT).announce(1, 10, RELAY).roots(1, 1, 2).announce(2, 10, RELAY);
        scenario.drained().open(RELAY);
        List<SyncAction.Subscribe> full =
                scenario.drainAndCollect(RELAY, filter -> filter.since().isEmpty());
        assertThat(full)
                .hasSize(3)
                .anyMatch(about(ofRepo(2)))
                .noneMatch(about(ofRepo(1)))
                .allMatch(request -> request.purpose() == Purpose.FIRST_SYNC);
    }

    /** The ledger may be older than the store: then more is asked, never less. */
    @Test
    void aRootEventTheMemoryDoesNotKnowHasItsRepositoryAskedForInFull() {
        synced();
        scenario.restart(MOMENT).announce(1, 10, RELAY).roots(1, 1, 2, 3);
        scenario.drained().open(RELAY);
        List<SyncAction.Subscribe> full =
                scenario.drainAndCollect(RELAY, filter -> filter.since().isEmpty());
        assertThat(full).anyMatch(about(ofRepo(1))).anyMatch(about(ofRoot(1))).noneMatch(about(announcements()));
    }

    @Test
    void aMissingRootEventHasItsRepositoryAskedForInFull() {
        synced();
        scenario.restart(MOMENT).announce(1, 10, RELAY).roots(1, 1);
        scenario.drained().open(RELAY);
        assertThat(scenario.drainAndCollect(RELAY, filter -> filter.since().isEmpty()))
                .anyMatch(about(ofRepo(1)));
    }

    @Test
    void whatWasNotConfirmedIsAskedForInFull() {
        scenario.announce(1, 10, RELAY).roots(1, 1, 2).drained().open(RELAY).pass(Duration.ofSeconds(30));
        scenario.eose(scenario.history(announcements()).orElseThrow().subscription());
        scenario.give(new SyncInput.Lost(scenario.now(), RELAY, scenario.now(), "gone"));

        scenario.restart(MOMENT).announce(1, 10, RELAY).roots(1, 1, 2);
        scenario.drained().open(RELAY);
        assertThat(scenario.drainAndCollect(RELAY, filter -> filter.since().isEmpty()))
                .anyMatch(about(ofRepo(1)))
                .noneMatch(about(announcements()));
    }

    @Test
    void rule8ARestartInTheMiddleOfACatchUpBeginsItFromTheSameSecond() {
        synced();
        Instant heard = scenario.now();
        scenario.lose(RELAY).pass(Duration.ofMinutes(1)).open(RELAY);
        scenario.restart(MOMENT).announce(1, 10, RELAY).roots(1, 1, 2);
        scenario.drained().open(RELAY);
        assertThat(scenario.drainAndCollect(RELAY, any()))
                .isNotEmpty()
                .allMatch(request -> request.page().filters().getFirst().since().orElseThrow()
                        == heard.minus(Duration.ofMinutes(15)).getEpochSecond());
    }

    @Test
    void rule8ALongStopMeansEverythingAndItsFindsAreGaps() {
        synced();
        scenario.restart(Duration.ofHours(1)).announce(1, 10, RELAY).roots(1, 1, 2);
        scenario.drained().open(RELAY);
        List<SyncAction.Subscribe> asked = scenario.drainAndCollect(RELAY, any());
        assertThat(asked)
                .isNotEmpty()
                .allMatch(request -> request.page().filters().getFirst().since().isEmpty());
        assertThat(asked).allMatch(request -> request.purpose() == Purpose.CATCH_UP);
    }

    @Test
    void rule25AConnectionThatLastsIsRememberedEveryFewMinutes() {
        synced();
        scenario.pass(Duration.ofHours(3)).drain(RELAY);
        scenario.give(new SyncInput.CheckDisconnects(scenario.now()));
        Instant remembered = scenario.now();
        scenario.restart(Duration.ofMinutes(10)).announce(1, 10, RELAY).roots(1, 1, 2);
        scenario.drained().open(RELAY);
        assertThat(scenario.drainAndCollect(RELAY, any()))
                .isNotEmpty()
                .allMatch(request -> request.page().filters().getFirst().since().orElseThrow()
                        == remembered.minus(Duration.ofMinutes(15)).getEpochSecond());
    }

    @Test
    void rule22TheFreshSyncIsDueWhenItWasDueBeforeTheRestart() {
        synced();
        Instant due = due();
        scenario.restart(MOMENT).announce(1, 10, RELAY).roots(1, 1, 2);
        scenario.drained().open(RELAY).drain(RELAY);
        assertThat(due()).isEqualTo(due);
        scenario.passAnswering(Duration.between(scenario.now(), due).minusSeconds(60), RELAY);
        assertThat(scenario.found(Finding.FreshSyncBegan.class)).isEmpty();
        scenario.passAnswering(Duration.ofMinutes(2), RELAY);
        assertThat(scenario.found(Finding.FreshSyncBegan.class)).hasSize(1);
    }

    @Test
    void rule22AFreshSyncThatBecameDueMeanwhileIsMadeUpFor() {
        synced();
        scenario.passAnswering(Duration.between(scenario.now(), due()).minusSeconds(10), RELAY);
        scenario.give(new SyncInput.CheckDisconnects(scenario.now()));
        scenario.restart(MOMENT).announce(1, 10, RELAY).roots(1, 1, 2);
        scenario.drained().open(RELAY).passAnswering(Duration.ofSeconds(10), RELAY);
        assertThat(scenario.found(Finding.FreshSyncBegan.class)).hasSize(1);
    }

    @Test
    void whereTheOwnRelayCannotBeReadRelaysAreNotKeptWaitingForEver() {
        EngineScenario withBootstrap =
                new EngineScenario(SyncSettings.DEFAULTS.with(new KnownRelays(Set.of(), Set.of(RELAY), Set.of())));
        withBootstrap.drained().open(RELAY).drain(RELAY).pass(Duration.ofMinutes(2));
        withBootstrap.restart(MOMENT);
        assertThat(withBootstrap.last(SyncAction.Connect.class)).isEmpty();
        withBootstrap.passUntil(Duration.ofMinutes(6), SyncAction.Connect.class::isInstance);
        withBootstrap.open(RELAY);
        assertThat(withBootstrap.drainAndCollect(RELAY, filter -> filter.since().isEmpty()))
                .isNotEmpty();
    }

    @Test
    void aRelayThatNobodyNamesAnyMoreIsForgottenOnceTheOwnRelayIsRead() {
        scenario.announce(2, 10, OTHER).fail(OTHER);
        synced();
        scenario.restart(MOMENT).announce(1, 10, RELAY).announce(2, 11);
        assertThat(scenario.last(SyncAction.Forget.class))
                .as("another repository may name it")
                .isEmpty();
        scenario.drained();
        assertThat(scenario.last(SyncAction.Forget.class)).containsExactly(new SyncAction.Forget(OTHER));
    }

    private void synced() {
        scenario.announce(1, 10, RELAY).roots(1, 1, 2).drained().open(RELAY).drain(RELAY);
        scenario.passAnswering(Duration.ofMinutes(10), RELAY);
        scenario.give(new SyncInput.CheckDisconnects(scenario.now()));
    }

    private Instant due() {
        return scenario.engine()
                .look(scenario.now())
                .relays()
                .getFirst()
                .freshSyncDue()
                .orElseThrow();
    }

    private static Predicate<Filter> any() {
        return filter -> true;
    }

    private static Predicate<SyncAction.Subscribe> about(Predicate<Filter> filter) {
        return request -> request.page().filters().stream().anyMatch(filter);
    }
}
