package dev.graspsync.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** How long events took on their way in since the start. Counted on any thread; cheap beside checking a signature. */
public final class IngestTimes {

    /** Where the buckets of {@link #settled} end; one more takes what is beyond. */
    public static final List<Duration> BOUNDS =
            Stream.of(1, 10, 100, 1_000, 10_000).map(Duration::ofMillis).toList();

    /** How often something was done, and what time it took in all. */
    public static final class Sum {

        private final LongAdder times = new LongAdder();
        private final LongAdder nanos = new LongAdder();

        private void add(long taken) {
            times.increment();
            nanos.add(taken);
        }

        public long times() {
            return times.sum();
        }

        public double seconds() {
            return nanos.sum() / 1e9;
        }
    }

    private final List<LongAdder> buckets =
            Stream.generate(LongAdder::new).limit(BOUNDS.size() + 1).toList();
    private final Sum settled = new Sum();
    private final Sum verified = new Sum();
    private final Sum written = new Sum();

    IngestTimes() {}

    /** An event's sender heard what became of it. */
    void settled(long since) {
        long taken = System.nanoTime() - since;
        int bucket = 0;
        while (bucket < BOUNDS.size() && taken > BOUNDS.get(bucket).toNanos()) {
            bucket++;
        }
        buckets.get(bucket).increment();
        settled.add(taken);
    }

    /** A piece was checked, by one thread. */
    void verified(long since) {
        verified.add(System.nanoTime() - since);
    }

    /** A batch was decided about and is durable. */
    void written(long since) {
        written.add(System.nanoTime() - since);
    }

    /** Of each event, from when there was room for it to when its sender heard what became of it. */
    public Sum settled() {
        return settled;
    }

    /** Events for each of {@link #BOUNDS}, and those beyond; none is counted twice. */
    public List<Long> settledByBound() {
        return buckets.stream().map(LongAdder::sum).toList();
    }

    /** Pieces whose ids and signatures were checked; as many threads do so as there are cores. */
    public Sum verified() {
        return verified;
    }

    /** Batches that the policy decided about and the store committed. */
    public Sum written() {
        return written;
    }
}
