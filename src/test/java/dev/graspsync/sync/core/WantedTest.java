package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.OTHER;
import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.announced;
import static dev.graspsync.sync.core.EngineScenario.id;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static dev.graspsync.sync.core.EngineScenario.ofRoot;
import static dev.graspsync.sync.core.EngineScenario.repo;
import static dev.graspsync.sync.core.EngineScenario.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.SyncInput.Removed;
import dev.graspsync.sync.core.SyncSettings.KnownRelays;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rules 1 to 5 and 12: what is wanted, from whom, and when nobody wants it any more. */
class WantedTest {

    private final EngineScenario scenario = new EngineScenario();

    @Test
    void rule1AnAnnouncementMakesItsRelaysTargets() {
        scenario.announce(1, 100, RELAY, OTHER);

        assertThat(scenario.last(SyncAction.Connect.class))
                .containsExactly(new SyncAction.Connect(RELAY), new SyncAction.Connect(OTHER));
    }

    @Test
    void rule1TheNewestAnnouncementReplacesTheRelaysOfTheOlder() {
        scenario.announce(1, 100, RELAY).open(RELAY).drain(RELAY);

        scenario.announce(1, 200, OTHER);
        assertThat(scenario.last(SyncAction.Connect.class)).containsExactly(new SyncAction.Connect(OTHER));

        scenario.announce(1, 150, RELAY);
        scenario.pass(Duration.ofMinutes(5)).give(new SyncInput.CheckDisconnects(scenario.now()));
        assertThat(scenario.last(SyncAction.Forget.class)).containsExactly(new SyncAction.Forget(RELAY));
    }

    @Test
    void rule1InTheSameSecondTheLowestIdCounts() {
        SyncInput.Announced higher =
                new SyncInput.Announced(repo(1), id(20), 100, List.of(OTHER), List.of(), Optional.empty());
        SyncInput.Announced lower =
                new SyncInput.Announced(repo(1), id(10), 100, List.of(RELAY), List.of(), Optional.empty());

        scenario.give(new SyncInput.SelfBatch(scenario.now(), List.of(lower, higher), List.of(), List.of()));

        assertThat(scenario.last(SyncAction.Connect.class)).containsExactly(new SyncAction.Connect(RELAY));
    }

    @Test
    void rule1ADeletionRemovesTheRepository() {
        scenario.announce(1, 100, RELAY).open(RELAY).drain(RELAY);

        scenario.give(
                new SyncInput.SelfBatch(scenario.now(), List.of(), List.of(), List.of(new Removed.Repo(repo(1), 100))));
        scenario.pass(Duration.ofMinutes(3)).give(new SyncInput.CheckDisconnects(scenario.now()));

        assertThat(scenario.last(SyncAction.Forget.class)).containsExactly(new SyncAction.Forget(RELAY));
    }

    @Test
    void rule1AnOlderDeletionLeavesANewerAnnouncementAlone() {
        scenario.announce(1, 100, RELAY).open(RELAY).drain(RELAY);

        scenario.give(
                new SyncInput.SelfBatch(scenario.now(), List.of(), List.of(), List.of(new Removed.Repo(repo(1), 99))));
        scenario.pass(Duration.ofMinutes(3)).give(new SyncInput.CheckDisconnects(scenario.now()));

        assertThat(scenario.last(SyncAction.Forget.class)).isEmpty();
    }

    @Test
    void rule1AnExpiredAnnouncementIsGone() {
        SyncInput.Announced expiring = new SyncInput.Announced(
                repo(1),
                id(1),
                100,
                List.of(RELAY),
                List.of(),
                Optional.of(scenario.now().plusSeconds(60)));
        scenario.give(new SyncInput.SelfBatch(scenario.now(), List.of(expiring), List.of(), List.of()));

        scenario.pass(Duration.ofMinutes(10)).give(new SyncInput.CheckDisconnects(scenario.now()));

        assertThat(scenario.last(SyncAction.Forget.class)).containsExactly(new SyncAction.Forget(RELAY));
    }

    @Test
    void rule1WhatTheOwnRelayNoLongerShowsIsGone() {
        scenario.announce(1, 100, RELAY).announce(2, 100, OTHER);
        scenario.give(new SyncInput.SelfDrainBegan(scenario.now()));
        scenario.announce(2, 100, OTHER);
        scenario.give(new SyncInput.SelfDrained(scenario.now()));

        scenario.pass(Duration.ofMinutes(3)).give(new SyncInput.CheckDisconnects(scenario.now()));

        assertThat(scenario.last(SyncAction.Forget.class)).containsExactly(new SyncAction.Forget(RELAY));
    }

    @Test
    void rule2ARootEventOfAnUnknownRepositoryWaitsForItAndCreatesNoTarget() {
        scenario.roots(1, 7);
        assertThat(scenario.last()).isEmpty();

        scenario.announce(1, 100, RELAY).open(RELAY);

        assertThat(scenario.drainAndCollect(RELAY, ofRoot(7))).isNotEmpty();
    }

    @Test
    void rule2RootEventsSurviveTheRemovalAndReturnOfTheirRepository() {
        scenario.announce(1, 100, RELAY).roots(1, 7);
        scenario.give(
                new SyncInput.SelfBatch(scenario.now(), List.of(), List.of(), List.of(new Removed.Repo(repo(1), 100))));

        scenario.announce(1, 200, RELAY).open(RELAY);

        assertThat(scenario.drainAndCollect(RELAY, ofRoot(7))).isNotEmpty();
    }

    @Test
    void rule2ARootEventAttachesToEveryRepositoryItTags() {
        scenario.announce(1, 100, RELAY).announce(2, 100, OTHER).open(RELAY).open(OTHER);
        scenario.drain(RELAY).drain(OTHER);

        scenario.give(new SyncInput.SelfBatch(
                scenario.now(),
                List.of(),
                List.of(new SyncInput.Rooted(id(7), List.of(repo(1), repo(2)), List.of())),
                List.of()));

        assertThat(scenario.subscribed(ofRoot(7)))
                .extracting(SyncAction.Subscribe::relay)
                .contains(RELAY, OTHER);
    }

    @Test
    void rule5WhatIsPendingOrConfirmedIsNotAskedForAgain() {
        scenario.announce(1, 100, RELAY).open(RELAY);
        scenario.roots(1, 7);
        assertThat(scenario.subscribed(ofRoot(7))).isNotEmpty();

        scenario.roots(1, 7);
        assertThat(scenario.subscribed(ofRoot(7))).isEmpty();

        scenario.drain(RELAY).roots(1, 7);
        assertThat(scenario.subscribed(ofRoot(7))).isEmpty();
    }

    @Test
    void rule5ARelayThatIsNotConnectedGetsItsWorkOnConnect() {
        scenario.announce(1, 100, RELAY).roots(1, 7);
        assertThat(scenario.last(SyncAction.Subscribe.class)).isEmpty();

        scenario.open(RELAY);

        assertThat(scenario.drainAndCollect(RELAY, ofRepo(1))).isNotEmpty();
    }

    @Test
    void rule12ABootstrapRelayStays() {
        EngineScenario bootstrap =
                new EngineScenario(SyncSettings.DEFAULTS.with(new KnownRelays(Set.of(), Set.of(RELAY), Set.of())));
        bootstrap.pass(Duration.ofMinutes(1)).open(RELAY).drain(RELAY);

        bootstrap.pass(Duration.ofMinutes(10)).give(new SyncInput.CheckDisconnects(bootstrap.now()));

        assertThat(bootstrap.last(SyncAction.Disconnect.class)).isEmpty();
    }

    @Test
    void rule12ARelayIsNotRemovedWithinItsGrace() {
        scenario.announce(1, 100, RELAY).open(RELAY).drain(RELAY).announce(1, 200, OTHER);

        scenario.give(new SyncInput.CheckDisconnects(scenario.now()));

        assertThat(scenario.last(SyncAction.Forget.class)).isEmpty();
    }

    @Test
    void rule12ARelayIsNotRemovedWhileSomethingIsPendingThere() {
        scenario.announce(1, 100, RELAY).open(RELAY);
        scenario.announce(1, 200, OTHER);

        // Long past the grace period, and its requests go on as long as there is progress.
        for (int minutes = 0; minutes < 10; minutes++) {
            scenario.pass(Duration.ofSeconds(50));
            scenario.openHistory(RELAY)
                    .forEach(asked ->
                            scenario.give(new SyncInput.Progressed(scenario.now(), RELAY, asked.subscription())));
        }
        scenario.give(new SyncInput.CheckDisconnects(scenario.now()));
        assertThat(scenario.last(SyncAction.Forget.class)).isEmpty();

        scenario.drain(RELAY).give(new SyncInput.CheckDisconnects(scenario.now()));
        assertThat(scenario.last(SyncAction.Forget.class)).containsExactly(new SyncAction.Forget(RELAY));
    }

    @Test
    void rule26AnAnnouncementCannotNameMoreRelaysThanTheCap() {
        RelayUrl[] many = IntStream.range(0, 10_000)
                .mapToObj(i -> url("wss://relay" + i + ".example"))
                .toArray(RelayUrl[]::new);

        scenario.give(new SyncInput.SelfBatch(scenario.now(), List.of(announced(1, 100, many)), List.of(), List.of()));

        assertThat(scenario.last(SyncAction.Connect.class)).hasSize(20);
    }

    @Test
    void rule26RelaysBeyondTheTotalWaitForAPlace() {
        for (int i = 0; i < 501; i++) {
            scenario.announce(i, 100, url("wss://relay" + i + ".example"));
        }
        assertThat(scenario.found(Finding.LeftOut.class)).hasSize(1);

        scenario.announce(3, 200);
        scenario.pass(Duration.ofMinutes(3)).give(new SyncInput.CheckDisconnects(scenario.now()));
        scenario.pass(Duration.ofSeconds(1));

        assertThat(scenario.last(SyncAction.Connect.class))
                .contains(new SyncAction.Connect(url("wss://relay500.example")));
    }

    @Test
    void theOwnRelayIsNeverATarget() {
        EngineScenario own =
                new EngineScenario(SyncSettings.DEFAULTS.with(new KnownRelays(Set.of(RELAY), Set.of(), Set.of())));

        own.announce(1, 100, RELAY, OTHER);

        assertThat(own.last(SyncAction.Connect.class)).containsExactly(new SyncAction.Connect(OTHER));
    }
}
