package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.announcements;
import static dev.graspsync.sync.core.EngineScenario.id;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.sync.core.SyncSettings.Comparing;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rules 17 to 19: what is compared (NIP-77), when, and how what is missing is fetched. */
class ComparingTest extends ComparingScenario {

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

    /** As after a start in the middle of a first sync. */
    @Test
    void rule17WhatWasReadBeforeAndWhatIsNewAreComparedTogether() {
        scenario.open(RELAY);
        found(compared());
        scenario.lose(RELAY).announce(2, 100, RELAY).pass(Duration.ofHours(1)).open(RELAY);

        assertThat(scenario.last(SyncAction.Reconcile.class)).hasSize(1);
        assertThat(compared().filter()).isEqualTo(Filter.ALL);
        found(compared());
        assertThat(scenario.found(Finding.Complete.class)).hasSize(1);
        assertThat(scenario.last(SyncAction.Reconcile.class)).isEmpty();
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
        found(compared(), ids(250));

        List<SyncAction.Subscribe> fetches = scenario.openHistory(RELAY);
        assertThat(fetches).hasSize(3);
        fetches.forEach(this::deliverAll);

        assertThat(scenario.found(Finding.Complete.class)).hasSize(1);
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

    /** As when an event is replaced between the comparison and the fetch. */
    @Test
    void rule19WhatIsGoneBeforeItIsFetchedMakesNoPagesOfAWholeRelay() {
        scenario.open(RELAY);
        found(compared(), id(1), id(2));
        deliver(scenario.openHistory(RELAY).getFirst(), Set.of(id(1)));
        deliver(scenario.openHistory(RELAY).getFirst(), Set.of());
        deliver(scenario.openHistory(RELAY).getFirst(), Set.of());

        assertThat(reasons()).containsExactly(Fallback.GONE);
        assertThat(scenario.openHistory(RELAY)).isEmpty();
        assertThat(scenario.last(SyncAction.Reconcile.class))
                .extracting(SyncAction.Reconcile::filter)
                .anyMatch(announcements())
                .anyMatch(ofRepo(1));
        scenario.last(SyncAction.Reconcile.class).forEach(this::found);
        assertThat(scenario.found(Finding.Complete.class)).hasSize(1);
    }

    @Test
    void rule19WhatElseAComparisonOfEverythingFoundIsStillFetched() {
        scenario.open(RELAY);
        found(compared(), ids(250));
        List<SyncAction.Subscribe> fetches = scenario.openHistory(RELAY);
        Set<EventId> asked = idsOf(fetches.getFirst());
        deliver(fetches.getFirst(), asked.stream().skip(1).collect(Collectors.toSet()));
        deliver(scenario.openHistory(RELAY).getLast(), Set.of());
        deliver(scenario.openHistory(RELAY).getLast(), Set.of());

        assertThat(reasons()).containsExactly(Fallback.GONE);
        assertThat(scenario.openHistory(RELAY)).containsExactlyElementsOf(fetches.subList(1, 3));
    }

    @Test
    void rule19WhatIsGoneOfOneFilterIsReadByPagesWhileOthersAreCompared() {
        List<SyncAction.Reconcile> sessions = filters();
        found(sessions.getFirst(), id(1));
        deliver(scenario.openHistory(RELAY).getFirst(), Set.of());
        assertThat(scenario.openHistory(RELAY)).as("asked for once more").hasSize(1);

        deliver(scenario.openHistory(RELAY).getFirst(), Set.of());

        assertThat(reasons()).containsExactly(Fallback.GONE);
        assertThat(scenario.history(announcements())).isPresent();
        assertThat(scenario.history(ofRepo(1))).isEmpty();
        assertThat(scenario.last(SyncAction.Unsubscribe.class)).hasSize(1);
    }

    @Test
    void rule19WhoDeliversLittleOfWhatItClaimsIsReadByPages() {
        scenario.open(RELAY);
        found(compared(), ids(40));
        deliver(scenario.openHistory(RELAY).getFirst(), Set.of());
        assertThat(scenario.openHistory(RELAY)).hasSize(1);

        deliver(scenario.openHistory(RELAY).getFirst(), Set.of());

        assertThat(reasons()).containsExactly(Fallback.UNDELIVERED);
        assertThat(isPaged()).isTrue();
    }

    private List<Fallback> reasons() {
        return scenario.found(Finding.FellBack.class).stream()
                .map(Finding.FellBack::reason)
                .toList();
    }

    private static EventId[] ids(int many) {
        return IntStream.range(0, many).mapToObj(EngineScenario::id).toArray(EventId[]::new);
    }
}
