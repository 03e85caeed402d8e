package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.id;
import static dev.graspsync.sync.core.EngineScenario.ofRoot;
import static dev.graspsync.sync.core.EngineScenario.repo;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What worlds of the simulation brought to light, told as short as possible. */
class FoundBySimulationTest {

    /** What a root named was forgotten where the root came before its repository. */
    @Test
    void whatAnOrphanNamedIsAskedForOnceItsRepositoryArrives() {
        EngineScenario world = new EngineScenario();
        Reference named = new Reference.ById(id(77));
        world.give(new SyncInput.SelfBatch(
                world.now(),
                List.of(),
                List.of(new SyncInput.Rooted(id(1), List.of(repo(1)), List.of(named))),
                List.of()));
        world.announce(1, 1, RELAY).open(RELAY);
        assertThat(world.drainAndCollect(
                        RELAY, filter -> filter.ids().orElse(Set.of()).contains(id(77))))
                .isNotEmpty();
    }

    /** A repository with more items than a batch takes was asked for again at once, however final the refusal. */
    @Test
    void aFinalRefusalHoldsForALargeRepositoryToo() {
        EngineScenario world = new EngineScenario();
        world.announce(1, 1, RELAY)
                .roots(1, IntStream.range(2, 2_000).toArray())
                .open(RELAY);
        int refused = 0;
        while (!world.openHistory(RELAY).isEmpty() && refused < 1_000) {
            world.closed(world.openHistory(RELAY).getFirst().subscription(), "blocked: not for you");
            refused++;
        }
        assertThat(refused).isLessThan(500);
    }

    /** The items beside those that came back had to wait with them, and could wait for ever. */
    @Test
    void whatCameBackKeepsNoOtherItemWaiting() {
        EngineScenario world = new EngineScenario();
        world.announce(1, 1, RELAY)
                .roots(1, IntStream.range(2, 2_000).toArray())
                .open(RELAY);
        List<SyncAction.Subscribe> first = world.openHistory(RELAY);
        first.forEach(subscribe -> world.closed(subscribe.subscription(), "blocked: not for you"));
        assertThat(world.drainAndCollect(RELAY, ofRoot(1_999))).isNotEmpty();
    }
}
