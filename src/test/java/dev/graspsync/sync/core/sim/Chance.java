package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The one source of randomness of a world; each part of the world has its own branch of it. */
record Chance(SplittableRandom random) {

    static Chance of(long seed) {
        return new Chance(new SplittableRandom(seed));
    }

    Chance branch() {
        return new Chance(random.split());
    }

    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    /** Both ends may come. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    Duration between(Duration least, Duration most) {
        return Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis() + 1));
    }

    Duration upTo(Duration most) {
        return between(Duration.ZERO, most);
    }

    Instant between(Instant from, Instant to) {
        return from.isBefore(to) ? from.plus(upTo(Duration.between(from, to))) : from;
    }

    @SafeVarargs
    final <T> T one(T... of) {
        return of[random.nextInt(of.length)];
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** At least one of them, in random order. */
    <T> List<T> some(List<T> of) {
        List<T> shuffled = shuffled(of);
        return shuffled.subList(0, between(1, shuffled.size()));
    }

    <T> List<T> shuffled(List<T> of) {
        List<T> all = new ArrayList<>(of);
        for (int i = all.size() - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            T kept = all.set(i, all.get(j));
            all.set(j, kept);
        }
        return all;
    }

    EventId id() {
        return new EventId(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    PublicKey key() {
        return new PublicKey(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    long number() {
        return random.nextLong();
    }
}
