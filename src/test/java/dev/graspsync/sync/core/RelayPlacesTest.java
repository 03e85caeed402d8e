package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.id;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static dev.graspsync.sync.core.EngineScenario.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.sync.core.SyncSettings.Places;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rule 26: places for relays are few, and strangers say who is to have them. */
class RelayPlacesTest {

    private static final RelayUrl FIRST = url("wss://relay.a0");
    private static final RelayUrl WAITING = url("wss://waiting.example");

    @Test
    void rule26OneAuthorMayNotTakeAllPlaces() {
        EngineScenario scenario = new EngineScenario(SyncSettings.DEFAULTS.with(new Places(20, 20, 3)));
        for (int repo = 0; repo < 10; repo++) {
            announce(scenario, "greedy" + repo, 1, relays("a" + repo, 10));
        }
        assertThat(known(scenario))
                .as("half of the places are given to whoever asks")
                .isEqualTo(10);
        assertThat(leftOut(scenario)).isEqualTo(90);

        announce(scenario, "other", 2, relays("other", 5));
        assertThat(known(scenario)).isEqualTo(13);
        announce(scenario, "third", 3, relays("other", 5));
        assertThat(known(scenario))
                .as("two of another author's are named by a third")
                .isEqualTo(15);
    }

    @Test
    void rule26WhoeverIsNamedByTwoAuthorsIsSyncedForBoth() {
        EngineScenario scenario = new EngineScenario(SyncSettings.DEFAULTS.with(new Places(2, 20, 1)));
        announce(scenario, "one", 1, List.of(FIRST));
        announce(scenario, "two", 1, List.of(WAITING));
        assertThat(leftOut(scenario)).isEqualTo(1);
        scenario.announce(7, 10, WAITING);
        assertThat(leftOut(scenario)).isZero();
        scenario.open(WAITING);
        assertThat(scenario.drainAndCollect(WAITING, ofRepo(7))).isNotEmpty();
        assertThat(scenario.engine().reposAt(WAITING, 10)).hasSize(2);
    }

    @Test
    void rule26ADeadRelayGivesItsPlaceToOneThatWaits() {
        EngineScenario scenario = new EngineScenario(SyncSettings.DEFAULTS.with(new Places(1, 20, 50)));
        scenario.announce(1, 10, FIRST).announce(2, 10, WAITING);
        die(scenario, FIRST);
        scenario.give(new SyncInput.CheckDisconnects(scenario.now()));
        assertThat(scenario.found(Finding.LeftOut.class)).hasSize(1);
        scenario.pass(Duration.ofSeconds(1));
        assertThat(scenario.last(SyncAction.Connect.class)).containsExactly(new SyncAction.Connect(WAITING));
        assertThat(scenario.engine().look(scenario.now()).relaysGone()).containsExactly(FIRST);
        scenario.open(WAITING);
        assertThat(scenario.drainAndCollect(WAITING, ofRepo(2))).isNotEmpty();
    }

    @Test
    void rule26ADeadRelayStaysWhereNobodyWaits() {
        EngineScenario scenario = new EngineScenario(SyncSettings.DEFAULTS.with(new Places(2, 20, 50)));
        scenario.announce(1, 10, FIRST).announce(2, 10, WAITING);
        die(scenario, FIRST);
        scenario.give(new SyncInput.CheckDisconnects(scenario.now()));
        assertThat(known(scenario)).isEqualTo(2);
    }

    @Test
    void rule26ADeadRelayGetsItsDailyChanceWhenThereIsRoomAgain() {
        EngineScenario scenario = new EngineScenario(SyncSettings.DEFAULTS.with(new Places(1, 20, 50)));
        scenario.announce(1, 10, FIRST).announce(2, 10, WAITING);
        die(scenario, FIRST);
        scenario.give(new SyncInput.CheckDisconnects(scenario.now())).pass(Duration.ofSeconds(1));
        scenario.open(WAITING).drain(WAITING);
        scenario.announce(2, 11).passAnswering(Duration.ofHours(30), WAITING);
        scenario.give(new SyncInput.CheckDisconnects(scenario.now())).pass(Duration.ofSeconds(1));
        assertThat(scenario.last(SyncAction.Connect.class)).containsExactly(new SyncAction.Connect(FIRST));
    }

    @Test
    void rule26ARelayThatGaveWayIsForgottenWhenNobodyNamesItAnyMore() {
        EngineScenario scenario = new EngineScenario(SyncSettings.DEFAULTS.with(new Places(1, 20, 50)));
        scenario.announce(1, 10, FIRST).announce(2, 10, WAITING).drained();
        die(scenario, FIRST);
        scenario.give(new SyncInput.CheckDisconnects(scenario.now()));
        assertThat(scenario.last(SyncAction.Forget.class)).isEmpty();
        scenario.announce(1, 11);
        assertThat(scenario.last(SyncAction.Forget.class)).containsExactly(new SyncAction.Forget(FIRST));
    }

    @Test
    void rule26WhatIsRememberedOfARelayThatWaitsForAPlaceOutlivesARestart() {
        EngineScenario scenario = new EngineScenario(SyncSettings.DEFAULTS.with(new Places(1, 20, 50)));
        scenario.announce(1, 10, FIRST).announce(2, 10, WAITING).drained();
        die(scenario, FIRST);
        scenario.give(new SyncInput.CheckDisconnects(scenario.now()));
        scenario.restart(Duration.ofMinutes(1)).announce(2, 10, WAITING).announce(1, 10, FIRST);
        scenario.drained();
        assertThat(scenario.last(SyncAction.Forget.class)).isEmpty();
    }

    @Test
    void rule26AnAnnouncementThatNamesTenThousandRelaysGetsTwenty() {
        EngineScenario scenario = new EngineScenario();
        announce(scenario, "repo", 1, relays("many", 10_000));
        assertThat(known(scenario)).isEqualTo(20);
        assertThat(scenario.last(SyncAction.Connect.class)).hasSize(20);
    }

    /** The newest counts, and among those of one second the lowest id, in whatever order they come. */
    @Test
    void rule1OfConflictingAnnouncementsOneCountsWhateverTheirOrder() {
        SyncInput.Announced high = announced("repo", 1, 9, List.of(FIRST));
        SyncInput.Announced low = announced("repo", 1, 8, List.of(WAITING));
        for (List<SyncInput.Announced> order :
                List.of(List.of(high, low), List.of(low, high), List.of(low, low, high))) {
            EngineScenario scenario = new EngineScenario();
            order.forEach(
                    one -> scenario.give(new SyncInput.SelfBatch(scenario.now(), List.of(one), List.of(), List.of())));
            assertThat(scenario.engine().relaysOf(low.repo()).stream().map(RepoAtRelayView::relay))
                    .containsExactly(WAITING);
        }
    }

    private static void die(EngineScenario scenario, RelayUrl relay) {
        for (Duration failing = Duration.ZERO;
                failing.compareTo(Duration.ofHours(26)) < 0;
                failing = failing.plusHours(1)) {
            scenario.fail(relay).pass(Duration.ofHours(1));
        }
        scenario.fail(relay);
    }

    private static List<RelayUrl> relays(String name, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> url("wss://" + name + "-" + i + ".example"))
                .toList();
    }

    private static void announce(EngineScenario scenario, String identifier, int author, List<RelayUrl> relays) {
        scenario.give(new SyncInput.SelfBatch(
                scenario.now(), List.of(announced(identifier, author, 5, relays)), List.of(), List.of()));
    }

    private static SyncInput.Announced announced(String identifier, int author, int id, List<RelayUrl> relays) {
        RepoAddress repo = new RepoAddress(new PublicKey(author, 9, 9, 9), identifier);
        return new SyncInput.Announced(repo, id(id), 10, relays, List.of(), Optional.empty());
    }

    private static int known(EngineScenario scenario) {
        return scenario.engine().look(scenario.now()).engine().relays();
    }

    private static int leftOut(EngineScenario scenario) {
        return scenario.engine().look(scenario.now()).engine().leftOut();
    }
}
