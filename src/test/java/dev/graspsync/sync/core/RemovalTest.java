package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.announced;
import static dev.graspsync.sync.core.EngineScenario.id;
import static dev.graspsync.sync.core.EngineScenario.ofRoot;
import static dev.graspsync.sync.core.EngineScenario.repo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.sync.core.SyncInput.Removed;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rules 1, 2, 3 and 26: what is wanted shrinks, at the cost of what goes, and is bounded whoever writes it. */
class RemovalTest {

    private final EngineScenario scenario = new EngineScenario();

    @Test
    void rule1ARootEventThatTheOwnRelayNoLongerShowsIsNotAskedFor() {
        scenario.announce(1, 100, RELAY).roots(1, 7, 8);
        scenario.give(new SyncInput.SelfDrainBegan(scenario.now()));
        scenario.announce(1, 100, RELAY).roots(1, 8);
        scenario.give(new SyncInput.SelfDrained(scenario.now())).open(RELAY);

        List<SyncAction.Subscribe> asked = scenario.drainAndCollect(RELAY, ofRoot(8));

        assertThat(asked).isNotEmpty();
        assertThat(asked)
                .noneMatch(subscribe -> subscribe.page().filters().stream().anyMatch(ofRoot(7)));
    }

    /** A thousand times as many repositories may make it a little slower, but not by what they are. */
    @Test
    void rule3ADeletionCostsWhatItRemoves() {
        assertThat(nanosToRemove(10_000)).isLessThan(50 * nanosToRemove(10));
    }

    /** To remove what is there and what is not, next to so many repositories; the best of some attempts. */
    private static long nanosToRemove(int repos) {
        EngineScenario engine = new EngineScenario();
        List<SyncInput.Announced> announced = IntStream.range(0, repos)
                .mapToObj(repo -> announced(repo, 100 + repo, RELAY))
                .toList();
        engine.give(new SyncInput.SelfBatch(engine.now(), announced, List.of(), List.of()));
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            engine.roots(1, IntStream.range(0, 1_000).toArray());
            List<Removed> removals = IntStream.range(500, 1_500)
                    .<Removed>mapToObj(i -> new Removed.Event(id(i)))
                    .toList();
            long start = System.nanoTime();
            engine.engine().step(new SyncInput.SelfBatch(engine.now(), List.of(), List.of(), removals));
            best = Math.min(best, System.nanoTime() - start);
        }
        assertThat(engine.engine().look(engine.now()).engine().roots()).isEqualTo(500);
        return best;
    }

    @Test
    void rule1ADeletedAnnouncementTakesItsRepositoryOffAndItsRootEventsWait() {
        scenario.announce(1, 100, RELAY).roots(1, 7, 8);
        SyncInput.Announced announced = announced(1, 100, RELAY);

        scenario.give(new SyncInput.SelfBatch(
                scenario.now(),
                List.of(),
                List.of(),
                List.of(new Removed.Event(announced.id()), new Removed.Event(id(8)))));

        assertThat(scenario.engine().look(scenario.now()).engine().roots()).isZero();
        scenario.announce(1, 200, RELAY).open(RELAY);
        assertThat(scenario.engine().look(scenario.now()).engine().roots()).isEqualTo(1);
        assertThat(scenario.drainAndCollect(RELAY, ofRoot(7))).isNotEmpty();
    }

    @Test
    void rule2OfManyRootEventsWithoutARepositoryTheOldestGiveWay() {
        int more = 1_000;
        int[] all = IntStream.rangeClosed(1, OrphanRoots.MOST + more).toArray();
        scenario.roots(1, all);

        scenario.announce(1, 100, RELAY);

        assertThat(scenario.engine().look(scenario.now()).engine().roots()).isEqualTo(OrphanRoots.MOST);
    }

    @Test
    void rule26WhatRootEventsNameIsBoundedForEachRepository() {
        scenario.announce(1, 100, RELAY).open(RELAY).drain(RELAY);
        for (int i = 0; i < 80; i++) {
            int from = 1_000 * i;
            List<Reference> named = IntStream.range(from, from + 100)
                    .<Reference>mapToObj(number -> new Reference.ById(id(5_000_000 + number)))
                    .toList();
            scenario.give(new SyncInput.SelfBatch(
                    scenario.now(),
                    List.of(),
                    List.of(new SyncInput.Rooted(id(i), List.of(repo(1), repo(2)), named)),
                    List.of()));
        }

        RepoView seen = scenario.engine().look(scenario.now()).repos().getFirst();
        assertThat(seen.items()).isEqualTo(1 + 80 + RepoSyncIndex.MOST_NAMED_BY_ROOTS);
    }
}
