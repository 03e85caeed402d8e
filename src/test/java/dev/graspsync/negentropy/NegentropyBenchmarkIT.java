package dev.graspsync.negentropy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What building and reconciling large sets costs; both sides run in this thread. */
@Tag("bench")
class NegentropyBenchmarkIT {

    private static final int WARM_UP = 3;

    @ParameterizedTest
    @CsvSource({"1000000, true", "1000000, false"})
    void building(int size, boolean newestFirst) {
        for (int i = 0; i < WARM_UP; i++) {
            build(size, 0, newestFirst);
        }
        Timed<SealedSet> built = Timed.run(() -> build(size, 0, newestFirst));

        assertThat(built.result().size()).isEqualTo(size);
        print("build of %,d items, %s: %s", size, newestFirst ? "newest first" : "in any order", built.millis());
    }

    @Test
    void memoryOfAMillionItems() {
        long before = used();
        SealedSet set = build(1_000_000, 0, false);
        double bytes = used() - before;

        print("memory of %,d items: %.1f MB", set.size(), bytes / 1e6);
        assertThat(bytes).isLessThan(50e6);
        assertThat(set.size()).isEqualTo(1_000_000);
    }

    @ParameterizedTest
    @CsvSource({
        "1000000, 0",
        "1000000, 60000",
        "1000000, 500000",
        "110000, 0",
        "110000, 60000",
        "110000, 4096",
    })
    void reconcilingWithOnePercentMissing(int size, int frameLimit) {
        SealedSet server = build(size, 0, true);
        SealedSet client = build(size, 100, true);
        for (int i = 0; i < WARM_UP; i++) {
            Exchange.between(client, frameLimit, server, frameLimit);
        }
        Timed<Exchange> timed = Timed.run(() -> Exchange.between(client, frameLimit, server, frameLimit));

        print("1 %% of %,d missing, frames of %,d: %s", size, frameLimit, timed);
        assertThat(timed.result().need()).hasSize(size - client.size());
        assertThat(timed.result().have()).isEmpty();
    }

    @Test
    void reconcilingIdenticalSets() {
        SealedSet set = build(1_000_000, 0, true);
        Exchange.between(set, 0, set, 0);
        Timed<Exchange> timed = Timed.run(() -> Exchange.between(set, 0, set, 0));

        print("%,d identical: %s", set.size(), timed);
        assertThat(timed.result().rounds()).isEqualTo(1);
        assertThat(timed.result().up() + timed.result().down()).isLessThan(1_000);
    }

    @Test
    void reconcilingWithAnEmptySet() {
        SealedSet server = build(1_000_000, 0, true);
        SealedSet client = build(0, 0, true);
        Timed<Exchange> timed = Timed.run(() -> Exchange.between(client, 60_000, server, 500_000));

        print("all of %,d missing, frames of 500,000: %s", server.size(), timed);
        assertThat(timed.result().need()).hasSize(server.size());
    }

    /** The same items for the same size, without every so-manieth; 0 leaves out none. */
    private static SealedSet build(int size, int without, boolean newestFirst) {
        Random random = new Random(77);
        SealedSet.Builder builder = SealedSet.builder(size);
        for (int i = 0; i < size; i++) {
            long createdAt = newestFirst ? 1_800_000_000L - i * 60L : 1_700_000_000L + random.nextInt(60_000_000);
            long a = random.nextLong();
            long b = random.nextLong();
            long c = random.nextLong();
            long d = random.nextLong();
            // Chosen by the id, so that the gaps are not evenly spread.
            if (without == 0 || Long.remainderUnsigned(a, without) != 0) {
                builder.add(createdAt, a, b, c, d);
            }
        }
        return builder.seal();
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void print(String format, Object... values) {
        System.out.println("negentropy: " + format.formatted(values));
    }

    private record Timed<T>(T result, Duration time) {

        static <T> Timed<T> run(Supplier<T> work) {
            long start = System.nanoTime();
            T result = work.get();
            return new Timed<>(result, Duration.ofNanos(System.nanoTime() - start));
        }

        String millis() {
            return "%.1f ms".formatted(time.toNanos() / 1e6);
        }

        @Override
        public String toString() {
            return result instanceof Exchange exchange
                    ? String.format(
                            Locale.ROOT,
                            "%s, %d rounds, %,d bytes up, %,d bytes down",
                            millis(),
                            exchange.rounds(),
                            exchange.up(),
                            exchange.down())
                    : millis();
        }
    }
}
