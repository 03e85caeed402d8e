package dev.graspsync.sync;

import dev.graspsync.sync.core.Fallback;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** What comparing with relays (NIP-77) cost and found since the start. Counted on any thread. */
public final class NegentropyCounters {

    private final LongAdder sessions = new LongAdder();
    private final LongAdder rounds = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder needed = new LongAdder();
    private final LongAdder lacked = new LongAdder();
    private final LongAdder pushed = new LongAdder();
    private final LongAdder splits = new LongAdder();
    private final Map<Fallback, LongAdder> fallbacks = new EnumMap<>(Fallback.class);

    NegentropyCounters() {
        for (Fallback reason : Fallback.values()) {
            fallbacks.put(reason, new LongAdder());
        }
    }

    void opened(int bytes) {
        sessions.increment();
        sent(bytes);
    }

    /** One message of ours, and so one round. */
    void sent(int bytes) {
        rounds.increment();
        sent.add(bytes);
    }

    /** A message that has no answer. */
    void closed(int bytes) {
        sent.add(bytes);
    }

    void received(int bytes) {
        received.add(bytes);
    }

    void found(int need, int have) {
        needed.add(need);
        lacked.add(have);
    }

    void pushed() {
        pushed.increment();
    }

    void split() {
        splits.increment();
    }

    void fellBack(Fallback reason) {
        adder(reason).increment();
    }

    private LongAdder adder(Fallback reason) {
        return Objects.requireNonNull(fallbacks.get(reason));
    }

    /** Comparisons begun. */
    public long sessionCount() {
        return sessions.sum();
    }

    /** Messages sent to compare; each has one answer. */
    public long roundCount() {
        return rounds.sum();
    }

    /** Bytes of those messages as they were sent, filters included. */
    public long sentBytes() {
        return sent.sum();
    }

    /** Bytes of the answers as they came. */
    public long receivedBytes() {
        return received.sum();
    }

    /** Ids a relay had and we did not. */
    public long neededCount() {
        return needed.sum();
    }

    /** Ids we had and a relay did not. */
    public long lackedCount() {
        return lacked.sum();
    }

    /** Events published to relays that lacked them. */
    public long pushedCount() {
        return pushed.sum();
    }

    /** Comparisons that went on in two halves of their time. */
    public long splitCount() {
        return splits.sum();
    }

    public long fallbackCount(Fallback reason) {
        return adder(reason).sum();
    }
}
