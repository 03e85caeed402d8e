package dev.graspsync.sync.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The cost of an input is that of what it changes: with 10,000 repositories, 500,000 root events and 500 relays in state,
 * 100 new roots are planned, and removed again, in about the time it takes with a tenth of that. And what a root event
 * costs in memory.
 */
@Tag("bench")
class SyncEngineBenchmarkIT {

    private static final int RELAYS_PER_REPO = 5;
    private static final int ROOTS_PER_REPO = 50;
    private static final int BATCH = 100;
    private static final int CONCERNED = 5;
    private static final int ROUNDS = 300;

    /** An engine whose relays answer every request with nothing. */
    private static final class World {

        final SyncEngine engine = new SyncEngine(SyncSettings.DEFAULTS, 1);
        final SplittableRandom random = new SplittableRandom(7);
        final int repos;
        final List<RelayUrl> relays = new ArrayList<>();
        final Instant now = Instant.parse("2026-01-01T00:00:00Z");
        long nextRoot;

        World(int repos, int relays) {
            this.repos = repos;
            for (int i = 0; i < relays; i++) {
                this.relays.add(RelayUrl.parse("wss://relay" + i + ".example").orElseThrow());
            }
        }

        static RepoAddress repo(int number) {
            return new RepoAddress(new PublicKey(number, number, 3, 4), "repo-" + number);
        }

        EventId id() {
            nextRoot++;
            SplittableRandom hash = new SplittableRandom(nextRoot);
            return new EventId(hash.nextLong(), hash.nextLong(), hash.nextLong(), hash.nextLong());
        }

        void fill() {
            for (int i = 0; i < repos; i++) {
                List<RelayUrl> named = new ArrayList<>();
                for (int j = 0; j < RELAYS_PER_REPO; j++) {
                    named.add(relays.get((i * 7 + j * 101) % relays.size()));
                }
                give(new SyncInput.SelfBatch(
                        now,
                        List.of(new SyncInput.Announced(repo(i), id(), 1, named, List.of(), Optional.empty())),
                        rooted(i, ROOTS_PER_REPO),
                        List.of()));
            }
        }

        List<SyncInput.Rooted> rooted(int repo, int many) {
            List<SyncInput.Rooted> roots = new ArrayList<>(many);
            for (int i = 0; i < many; i++) {
                roots.add(new SyncInput.Rooted(id(), List.of(repo(repo)), List.of()));
            }
            return roots;
        }

        /** A window's worth of new roots, in a few repositories, so that as many relays are concerned in any world. */
        SyncInput.SelfBatch newRoots() {
            List<SyncInput.Rooted> roots = new ArrayList<>(BATCH);
            for (int i = 0; i < CONCERNED; i++) {
                roots.addAll(rooted(random.nextInt(repos), BATCH / CONCERNED));
            }
            return new SyncInput.SelfBatch(now, List.of(), roots, List.of());
        }

        SyncInput.SelfBatch removalOf(SyncInput.SelfBatch batch) {
            List<SyncInput.Removed> removals = new ArrayList<>(BATCH);
            batch.roots().forEach(root -> removals.add(new SyncInput.Removed.Event(root.id())));
            return new SyncInput.SelfBatch(now, List.of(), List.of(), removals);
        }

        /** Gives an input and everything that follows from it. */
        void give(SyncInput first) {
            Deque<SyncInput> inputs = new ArrayDeque<>(List.of(first));
            while (!inputs.isEmpty()) {
                for (SyncAction action : engine.step(inputs.poll())) {
                    answer(action).ifPresent(inputs::add);
                }
            }
        }

        private Optional<SyncInput> answer(SyncAction action) {
            return switch (action) {
                case SyncAction.Connect(RelayUrl relay) ->
                    Optional.of(new SyncInput.Opened(now, relay, RelayHints.NONE));
                case SyncAction.Subscribe subscribe ->
                    Optional.of(new SyncInput.PageEnded(
                            now,
                            subscribe.relay(),
                            subscribe.subscription(),
                            new PageResult(
                                    0,
                                    0,
                                    subscribe.page().cursors().stream()
                                            .map(cursor -> new PageResult.Read(0, 0, Set.of()))
                                            .toList()),
                            Hint.NONE));
                default -> Optional.empty();
            };
        }
    }

    private record Measured(double microsPerBatch, double microsPerRemoval, double bytesPerRoot) {}

    private static Measured measure(int repos, int relays) {
        long before = used();
        World world = new World(repos, relays);
        world.fill();
        long bytes = used() - before;
        for (int i = 0; i < ROUNDS; i++) {
            world.give(world.newRoots());
        }
        long planning = 0;
        long removing = 0;
        for (int i = 0; i < ROUNDS; i++) {
            SyncInput.SelfBatch batch = world.newRoots();
            long start = System.nanoTime();
            List<SyncAction> actions = world.engine.step(batch);
            planning += System.nanoTime() - start;
            actions.forEach(action -> world.answer(action).ifPresent(world::give));
            SyncInput.SelfBatch removal = world.removalOf(batch);
            start = System.nanoTime();
            world.engine.step(removal);
            removing += System.nanoTime() - start;
        }
        return new Measured(
                planning / 1_000.0 / ROUNDS, removing / 1_000.0 / ROUNDS, (double) bytes / (repos * ROOTS_PER_REPO));
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void planningCostsWhatChanges() {
        measure(1_000, 50);
        Measured tenth = measure(1_000, 50);
        Measured whole = measure(10_000, 500);

        System.out.printf(
                "sync engine: %d new roots planned in %.0f µs with 50,000 roots, 1,000 repositories and 50 relays in state;"
                        + " in %.0f µs with ten times that, a ratio of %.2f; removed in %.0f and %.0f µs, a ratio of"
                        + " %.2f; %.0f and %.0f bytes a root event%n",
                BATCH,
                tenth.microsPerBatch(),
                whole.microsPerBatch(),
                whole.microsPerBatch() / tenth.microsPerBatch(),
                tenth.microsPerRemoval(),
                whole.microsPerRemoval(),
                whole.microsPerRemoval() / tenth.microsPerRemoval(),
                tenth.bytesPerRoot(),
                whole.bytesPerRoot());
        assertThat(whole.bytesPerRoot()).isLessThan(400);
        assertThat(whole.microsPerBatch() / tenth.microsPerBatch()).isLessThan(3);
        assertThat(whole.microsPerRemoval() / tenth.microsPerRemoval()).isLessThan(3);
    }
}
