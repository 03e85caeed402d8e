package dev.graspsync.sync.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Thirty days in each of many worlds, with everything relays are known to do wrong. {@code -Dsim.seeds=100000} for more
 * worlds, {@code -Dsim.seed=42} for one with all that happened printed; see docs/testing.md.
 */
class SimulationTest {

    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);
    private static final @Nullable Long ONE = Long.getLong("sim.seed");
    /** So many worlds have all that relays do. */
    private static final int ENOUGH = 100;

    private static final int RESTARTED_SHARE = 4;
    private static final int WORLDS_SHOWN = 20;
    private static final int EVENTS_SHOWN = 4;
    /** What relays do when they are compared with (NIP-77). */
    private static final List<String> SORTS = List.of(
            "capped",
            "compared",
            "corrupt",
            "cut off",
            "hung up",
            "lied",
            "nothing",
            "notice",
            "refused",
            "unsupported");

    private final Map<String, Integer> compared = new ConcurrentSkipListMap<>();

    @Test
    void everythingServedByWellMeaningRelaysComesHome() {
        check(World.Sort.FAULTY, SEEDS);

        if (ONE == null && SEEDS >= ENOUGH) {
            System.out.println("Comparisons in " + SEEDS + " faulty worlds: " + compared);
            assertThat(compared.keySet()).as("what relays did").containsExactlyElementsOf(SORTS);
        }
    }

    /** Rule 8: what a restart believes to have is there. No fresh sync makes up for it. */
    @Test
    void nothingIsMissedWhenWeAreKilledAndStartedAgainAndAgain() {
        check(World.Sort.RESTARTED, Math.max(1, SEEDS / RESTARTED_SHARE));
    }

    private void check(World.Sort sort, int seeds) {
        List<String> failures = ONE == null
                ? runMany(seeds, sort)
                : run(ONE, Trace.printing(), sort).stream().toList();
        assertThat(failures.size())
                .as(() -> sort + " worlds that fail, among them:\n" + shown(failures))
                .isZero();
    }

    private static String shown(List<String> failures) {
        return failures.stream().limit(WORLDS_SHOWN).collect(Collectors.joining("\n"));
    }

    private List<String> runMany(int seeds, World.Sort sort) {
        return LongStream.range(0, seeds)
                .parallel()
                .mapToObj(seed -> run(seed, Trace.OFF, sort))
                .flatMap(Optional::stream)
                .toList();
    }

    /** What failed, and how to see it again. */
    private Optional<String> run(long seed, Trace trace, World.Sort sort) {
        try {
            World.Outcome outcome = new World(seed, trace, sort).run();
            outcome.compared().forEach((what, times) -> compared.merge(what, times, Integer::sum));
            return outcome.missing().isEmpty() && outcome.broken().isEmpty()
                    ? Optional.empty()
                    : Optional.of(describe(outcome, sort));
        } catch (RuntimeException thrown) {
            return Optional.of(replay(seed, sort) + thrown + " at " + List.of(thrown.getStackTrace()));
        }
    }

    private static String describe(World.Outcome outcome, World.Sort sort) {
        StringBuilder text = new StringBuilder(replay(outcome.seed(), sort));
        text.append(outcome.missing().size())
                .append(" events are missing, ")
                .append(outcome.atHome())
                .append(" are home");
        outcome.missing().stream()
                .limit(EVENTS_SHOWN)
                .forEach(one -> text.append("\n    ").append(one));
        outcome.missing().stream()
                .map(Oracle.Missing::relay)
                .distinct()
                .forEach(relay -> text.append("\n    ").append(relay));
        outcome.broken().forEach(one -> text.append("\n    ").append(one));
        return text.toString();
    }

    private static String replay(long seed, World.Sort sort) {
        String test = sort == World.Sort.FAULTY ? "everything*" : "nothing*";
        return "seed " + seed + " (./mvnw test -Dtest='SimulationTest#" + test + "' -Dsim.seed=" + seed + "): ";
    }
}
