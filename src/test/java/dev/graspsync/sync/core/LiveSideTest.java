package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.announcements;
import static dev.graspsync.sync.core.EngineScenario.id;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static dev.graspsync.sync.core.EngineScenario.ofRoot;
import static dev.graspsync.sync.core.EngineScenario.repo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Filter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rules 13 and 15: the layers, and live subscriptions that stay few. */
class LiveSideTest {

    private final EngineScenario scenario = new EngineScenario();

    private List<Filter> liveFilters() {
        return scenario.openLive(RELAY).stream()
                .flatMap(subscribe -> subscribe.page().filters().stream())
                .toList();
    }

    @Test
    void rule13AnnouncementsHaveASubscriptionOfTheirOwn() {
        scenario.announce(1, 100, RELAY).open(RELAY);

        assertThat(scenario.openLive(RELAY))
                .anySatisfy(subscribe -> assertThat(subscribe.page().filters())
                        .singleElement()
                        .satisfies(filter ->
                                assertThat(filter.kinds().orElseThrow()).containsExactly(30617, 30618)));
        assertThat(scenario.history(announcements())).isPresent();
    }

    @Test
    void rule13RepositoriesAndRootsAreAskedForByAllTheirTags() {
        scenario.announce(1, 100, RELAY).roots(1, 7).open(RELAY);

        assertThat(liveFilters())
                .extracting(filter -> filter.tags().keySet().stream().findFirst())
                .contains(Optional.of("a"), Optional.of("A"), Optional.of("q"), Optional.of("e"), Optional.of("E"));
    }

    @Test
    void rule13NamedEventsAreFetchedById() {
        scenario.announce(1, 100, RELAY).open(RELAY).drain(RELAY);

        scenario.give(new SyncInput.SelfBatch(
                scenario.now(),
                List.of(),
                List.of(new SyncInput.Rooted(id(7), List.of(repo(1)), List.of(new Reference.ById(id(42))))),
                List.of()));

        assertThat(scenario.history(filter ->
                        filter.ids().filter(ids -> ids.contains(id(42))).isPresent()))
                .isPresent();
    }

    @Test
    void rule13NoFilterHasMoreThanAHundredValues() {
        scenario.announce(1, 100, RELAY)
                .roots(1, IntStream.rangeClosed(1, 950).toArray())
                .open(RELAY);

        assertThat(liveFilters())
                .allSatisfy(filter -> filter.tags()
                        .values()
                        .forEach(values -> assertThat(values).hasSizeLessThanOrEqualTo(100)));
    }

    @Test
    void rule15ManySmallAdditionsAreConsolidatedBeforeTheyAreTooMany() {
        scenario.announce(1, 100, RELAY).open(RELAY).drain(RELAY);
        int consolidations = 0;
        for (int i = 1; i <= 200; i++) {
            scenario.roots(1, i);
            if (scenario.last(SyncAction.Subscribe.class).stream()
                            .filter(subscribe -> subscribe.purpose() == Purpose.LIVE)
                            .flatMap(subscribe -> subscribe.page().filters().stream())
                            .filter(ofRepo(1))
                            .count()
                    > 0) {
                consolidations++;
            }
            scenario.openLive(RELAY).forEach(live -> scenario.eose(live.subscription()));
            scenario.drain(RELAY);
            assertThat(liveFilters()).hasSizeLessThanOrEqualTo(75);
        }
        assertThat(liveFilters()).anyMatch(ofRoot(200)).anyMatch(ofRoot(1)).anyMatch(ofRepo(1));
        assertThat(consolidations).isBetween(1, 60);
    }

    @Test
    void rule15TheNewSubscriptionsAreOpenBeforeTheOldOnesAreClosed() {
        scenario.announce(1, 100, RELAY).open(RELAY).drain(RELAY);
        for (int i = 1; i <= 200; i++) {
            List<SyncAction.Subscribe> before = scenario.openLive(RELAY);
            scenario.roots(1, i);
            boolean consolidated = scenario.last(SyncAction.Subscribe.class).stream()
                    .filter(subscribe -> subscribe.purpose() == Purpose.LIVE)
                    .anyMatch(subscribe -> subscribe.page().filters().stream().anyMatch(ofRepo(1)));
            if (consolidated) {
                assertThat(scenario.openLive(RELAY)).containsAll(before);
                scenario.openLive(RELAY).forEach(live -> scenario.eose(live.subscription()));
                assertThat(scenario.openLive(RELAY).size()).isLessThan(before.size());
                return;
            }
            scenario.openLive(RELAY).forEach(live -> scenario.eose(live.subscription()));
            scenario.drain(RELAY);
        }
        throw new AssertionError("never consolidated");
    }

    @Test
    void rule15WhatNeedsTooManyFiltersIsAskedForByKind() {
        scenario.announce(1, 100, RELAY)
                .roots(1, IntStream.rangeClosed(1, 50_000).toArray())
                .open(RELAY);

        assertThat(scenario.found(Finding.CoarseLive.class)).hasSize(1);
        assertThat(liveFilters()).allSatisfy(filter -> assertThat(filter.tags()).isEmpty());
        assertThat(scenario.openHistory(RELAY)).isNotEmpty();

        scenario.drain(RELAY).roots(1, 60_000);
        assertThat(scenario.last(SyncAction.Subscribe.class))
                .isNotEmpty()
                .allSatisfy(subscribe -> assertThat(subscribe.purpose()).isNotEqualTo(Purpose.LIVE));
    }

    @Test
    void aLiveSubscriptionThatTheRelayEndsIsRenewedAndCaughtUp() {
        scenario.announce(1, 100, RELAY).open(RELAY).drain(RELAY);
        scenario.openLive(RELAY).forEach(live -> scenario.eose(live.subscription()));
        scenario.pass(Duration.ofHours(1));
        String live = scenario.openLive(RELAY).stream()
                .filter(subscribe -> subscribe.page().filters().stream().anyMatch(ofRepo(1)))
                .findFirst()
                .orElseThrow()
                .subscription();
        long closedAt = scenario.now().getEpochSecond();

        scenario.closed(live, "error: shutting down idle subscription").pass(Duration.ofSeconds(130));

        assertThat(liveFilters()).anyMatch(ofRepo(1));
        assertThat(scenario.history(ofRepo(1)).orElseThrow().page().filters())
                .allSatisfy(filter -> assertThat(filter.since()).hasValue(closedAt - 900));
    }

    @Test
    void whatWasPendingWhileTheLiveSideWasBrokenIsCaughtUpToo() {
        scenario.announce(1, 100, RELAY).open(RELAY);
        String history = scenario.history(ofRepo(1)).orElseThrow().subscription();
        String live = scenario.openLive(RELAY).stream()
                .filter(subscribe -> subscribe.page().filters().stream().anyMatch(ofRepo(1)))
                .findFirst()
                .orElseThrow()
                .subscription();
        scenario.closed(live, "error: overloaded").pass(Duration.ofSeconds(50));
        for (int i = 0; i < 5; i++) {
            scenario.openHistory(RELAY)
                    .forEach(subscribe ->
                            scenario.give(new SyncInput.Progressed(scenario.now(), RELAY, subscribe.subscription())));
            scenario.pass(Duration.ofSeconds(50));
        }
        assertThat(liveFilters()).anyMatch(ofRepo(1));

        List<SyncAction.Subscribe> asked = scenario.drainAndCollect(RELAY, ofRepo(1));

        assertThat(asked).extracting(SyncAction.Subscribe::subscription).contains(history);
        assertThat(asked.stream().flatMap(subscribe -> subscribe.page().filters().stream()))
                .anySatisfy(filter -> assertThat(filter.since()).isPresent());
    }
}
