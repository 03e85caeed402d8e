package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.OTHER;
import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.announcements;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static dev.graspsync.sync.core.EngineScenario.ofRoot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Filter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules 8 to 11, 22 and 24: connecting, losing connections, health and the fresh sync. */
class ConnectingTest {

    private final EngineScenario scenario = new EngineScenario();
    /** With one relay that is not connected. */
    private final EngineScenario failing = new EngineScenario().announce(2, 100, OTHER);

    @BeforeEach
    void aSyncedRelay() {
        scenario.announce(1, 100, RELAY).open(RELAY).drain(RELAY);
        scenario.pass(Duration.ofMinutes(10));
    }

    private static boolean isFreshSync(SyncAction action) {
        return action instanceof SyncAction.Report report && report.finding() instanceof Finding.FreshSyncBegan;
    }

    private List<Filter> historyFilters() {
        return scenario.openHistory(RELAY).stream()
                .flatMap(subscribe -> subscribe.page().filters().stream())
                .toList();
    }

    private void reconnectAfter(Duration away) {
        scenario.lose(RELAY);
        for (Instant end = scenario.now().plus(away); scenario.now().isBefore(end); ) {
            scenario.pass(Duration.ofSeconds(30));
            if (!scenario.last(SyncAction.Connect.class).isEmpty()
                    && scenario.now().isBefore(end)) {
                scenario.fail(RELAY);
            }
        }
        scenario.give(new SyncInput.RetryNow(scenario.now(), RELAY)).open(RELAY);
    }

    @Test
    void rule8AQuickReconnectAsksOnlyForWhatCameSince() {
        Instant lost = scenario.now();

        reconnectAfter(Duration.ofMinutes(5));

        assertThat(scenario.history(announcements())).isPresent();
        assertThat(scenario.history(ofRepo(1))).isPresent();
        assertThat(historyFilters())
                .isNotEmpty()
                .allSatisfy(filter -> assertThat(filter.since())
                        .hasValue(lost.minus(Duration.ofMinutes(15)).getEpochSecond()));
    }

    @Test
    void rule8AfterALongAbsenceEverythingIsAskedFor() {
        reconnectAfter(Duration.ofMinutes(20));

        assertThat(scenario.history(ofRepo(1))).isPresent();
        assertThat(historyFilters())
                .isNotEmpty()
                .allSatisfy(filter -> assertThat(filter.since()).isEmpty());
    }

    @Test
    void rule8WhatWasNotYetConfirmedIsAskedForWholeEvenAfterAQuickReconnect() {
        scenario.roots(1, 7);

        reconnectAfter(Duration.ofMinutes(1));

        assertThat(scenario.drainAndCollect(RELAY, ofRoot(7)).stream()
                        .flatMap(subscribe -> subscribe.page().filters().stream())
                        .filter(ofRoot(7)))
                .isNotEmpty()
                .allSatisfy(filter -> assertThat(filter.since()).isEmpty());
    }

    @Test
    void rule8ACatchUpThatWasInterruptedKeepsItsBeginning() {
        Instant firstLost = scenario.now();
        reconnectAfter(Duration.ofMinutes(10));

        reconnectAfter(Duration.ofMinutes(10));

        assertThat(historyFilters())
                .isNotEmpty()
                .allSatisfy(filter -> assertThat(filter.since())
                        .hasValue(firstLost.minus(Duration.ofMinutes(15)).getEpochSecond()));
    }

    @Test
    void rule9TheLiveSubscriptionIsOpenBeforeTheHistoryIsRead() {
        reconnectAfter(Duration.ofMinutes(20));

        List<SyncAction.Subscribe> subscribed = scenario.last(SyncAction.Subscribe.class);
        int firstHistory = -1;
        int lastLive = -1;
        for (int i = 0; i < subscribed.size(); i++) {
            if (subscribed.get(i).purpose() == Purpose.LIVE) {
                lastLive = i;
            } else if (firstHistory < 0) {
                firstHistory = i;
            }
        }
        assertThat(lastLive).isGreaterThanOrEqualTo(0).isLessThan(firstHistory);
        assertThat(scenario.openLive(RELAY))
                .allSatisfy(subscribe -> assertThat(subscribe.page().filters())
                        .allSatisfy(filter -> assertThat(filter.since()).isEmpty()));
    }

    @Test
    void rule10WhatWasInFlightIsWantedAgain() {
        scenario.roots(1, 7);
        assertThat(scenario.history(ofRoot(7))).isPresent();

        reconnectAfter(Duration.ofMinutes(1));

        assertThat(scenario.drainAndCollect(RELAY, ofRoot(7))).isNotEmpty();
    }

    @Test
    void rule11AFailedFirstConnectIsTriedAgain() {
        failing.fail(OTHER);

        failing.pass(Duration.ofSeconds(6));

        assertThat(failing.last(SyncAction.Connect.class)).containsExactly(new SyncAction.Connect(OTHER));
    }

    @Test
    void rule22AFreshSyncAsksForEverythingBesideTheLiveSubscriptions() {
        List<SyncAction.Subscribe> live = scenario.openLive(RELAY);

        scenario.passUntil(Duration.ofHours(25), ConnectingTest::isFreshSync);

        assertThat(scenario.openLive(RELAY)).containsAll(live);
        assertThat(scenario.history(ofRepo(1)).orElseThrow().purpose()).isEqualTo(Purpose.FRESH_SYNC);
        assertThat(historyFilters())
                .allSatisfy(filter -> assertThat(filter.since()).isEmpty());
    }

    @Test
    void rule22TheDueTimeIsRandomWithinItsBoundsAndRemembered() {
        scenario.pass(Duration.ofHours(22).plusMinutes(50));
        assertThat(scenario.last()).noneMatch(ConnectingTest::isFreshSync);

        scenario.passUntil(Duration.ofHours(2).plusMinutes(10), ConnectingTest::isFreshSync);
        Finding.FreshSyncBegan began =
                scenario.found(Finding.FreshSyncBegan.class).getFirst();
        assertThat(scenario.last(SyncAction.Remember.class).getLast().record().freshSyncDue())
                .contains(began.nextDue());
    }

    @Test
    void rule24FailuresDoubleTheWaitUpToItsCap() {
        Duration before = Duration.ZERO;
        for (int failures = 1; failures <= 12; failures++) {
            failing.fail(OTHER);
            Finding.BackingOff backingOff =
                    failing.found(Finding.BackingOff.class).getFirst();
            Duration wait = Duration.between(failing.now(), backingOff.nextAttempt());
            long expected = Math.min(5L << failures - 1, 3_600);
            assertThat(wait.toMillis()).isBetween(expected * 900, expected * 1_100);
            assertThat(backingOff.failures()).isEqualTo(failures);
            before = wait;
            failing.pass(wait);
        }
        assertThat(before).isLessThanOrEqualTo(Duration.ofMinutes(66));
    }

    @Test
    void rule24AfterADayOfFailuresARelayIsDeadAndAskedOnceADay() {
        int attempts = 0;
        boolean dead = false;
        Instant end = failing.now().plus(Duration.ofDays(5));
        while (failing.now().isBefore(end)) {
            failing.fail(OTHER);
            dead |= !failing.found(Finding.Dead.class).isEmpty();
            if (dead) {
                attempts++;
            }
            Duration wait = Duration.between(
                    failing.now(),
                    failing.found(Finding.BackingOff.class).getFirst().nextAttempt());
            failing.pass(wait);
        }
        assertThat(dead).isTrue();
        assertThat(attempts).isBetween(3, 6);
    }

    @Test
    void rule24ARelayThatAcceptsAndDropsIsNotHitEveryFewSeconds() {
        int attempts = 0;
        Instant end = failing.now().plus(Duration.ofHours(6));
        while (failing.now().isBefore(end)) {
            attempts++;
            failing.open(OTHER).lose(OTHER);
            failing.pass(Duration.between(
                    failing.now(),
                    failing.found(Finding.BackingOff.class).getFirst().nextAttempt()));
        }
        assertThat(attempts).isLessThan(25);
    }

    @Test
    void rule24AConnectionThatStayedUpForAMinuteHeals() {
        failing.fail(OTHER).pass(Duration.ofSeconds(6)).open(OTHER);

        failing.pass(Duration.ofSeconds(61));

        assertThat(failing.found(Finding.Recovered.class)).hasSize(1);
        assertThat(failing.last(SyncAction.Remember.class).getLast().record().failures())
                .isZero();
    }

    @Test
    void rule25WhatIsRememberedSurvivesARestart() {
        failing.fail(OTHER);
        RelayRecord record = failing.last(SyncAction.Remember.class).getLast().record();

        EngineScenario restarted = new EngineScenario();
        restarted.give(new SyncInput.Remembered(failing.now(), List.of(record)));
        restarted.give(new SyncInput.SelfBatch(
                failing.now(), List.of(EngineScenario.announced(2, 100, OTHER)), List.of(), List.of()));

        assertThat(restarted.last(SyncAction.Connect.class)).isEmpty();
        assertThat(restarted.engine().nextDue()).isEqualTo(record.nextAttempt().orElseThrow());
    }
}
