package dev.graspsync.sync;

import dev.graspsync.relay.IngestResult;
import dev.graspsync.store.Provenance.Way;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** What one relay sent since the start. Counted on any thread. */
public final class RelayCounters {

    private final LongAdder received = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final MinuteCounts perMinute = new MinuteCounts();
    private final LongAdder unasked = new LongAdder();
    private final LongAdder unwanted = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder forged = new LongAdder();
    private final LongAdder opened = new LongAdder();
    private final LongAdder openFailed = new LongAdder();
    private final Map<Way, LongAdder> stored = new EnumMap<>(Way.class);

    private final long before;
    private volatile boolean connected;
    private volatile boolean compared;

    /** @param before events received in earlier runs */
    RelayCounters(long before) {
        this.before = before;
        for (Way way : Way.values()) {
            stored.put(way, new LongAdder());
        }
    }

    void received(Instant at) {
        received.increment();
        perMinute.count(at);
    }

    void bytes(int length) {
        bytes.add(length);
    }

    void sent(int length) {
        sent.add(length);
    }

    void unasked() {
        unasked.increment();
    }

    void malformed() {
        malformed.increment();
    }

    void opened() {
        opened.increment();
        connected = true;
    }

    void openFailed() {
        openFailed.increment();
        connected = false;
    }

    void disconnected() {
        connected = false;
    }

    void compared() {
        compared = true;
    }

    void settled(Way way, IngestResult result) {
        if (result.isStored()) {
            adder(way).increment();
        } else if (result.isUnwanted()) {
            unwanted.increment();
        } else if (!result.accepted()) {
            refused.increment();
            if (result.isForged()) {
                forged.increment();
            }
        }
    }

    private LongAdder adder(Way way) {
        return Objects.requireNonNull(stored.get(way));
    }

    /** Events received since the relay was first named. */
    public long everReceivedCount() {
        return before + received.sum();
    }

    /** Events that were asked for or not. */
    public long receivedCount() {
        return received.sum();
    }

    /** Bytes of messages received since the start. */
    public long bytesCount() {
        return bytes.sum();
    }

    /** Bytes of messages sent since the start. */
    public long sentBytes() {
        return sent.sum();
    }

    /** Events received in each of the last sixty minutes, the oldest first. */
    public int[] perMinute(Instant now) {
        return perMinute.counts(now);
    }

    /** Events stored since the start, whichever way they came. */
    public long storedCount() {
        return stored.values().stream().mapToLong(LongAdder::sum).sum();
    }

    public boolean isConnected() {
        return connected;
    }

    /** Whether a comparison with it (NIP-77) came to its end since the start. */
    public boolean isCompared() {
        return compared;
    }

    /** Attempts to connect that succeeded since the start. */
    public long openedCount() {
        return opened.sum();
    }

    /** Attempts to connect that failed since the start. */
    public long openFailedCount() {
        return openFailed.sum();
    }

    /** Events that match no filter that was asked. */
    public long unaskedCount() {
        return unasked.sum();
    }

    /** Events it had to send because it is asked by kind alone, and that concern nothing here: no fault of its. */
    public long unwantedCount() {
        return unwanted.sum();
    }

    public long malformedCount() {
        return malformed.sum();
    }

    /** Events the policy or a check refused. */
    public long refusedCount() {
        return refused.sum();
    }

    /** Of those, the ones whose id or signature is wrong. */
    public long forgedCount() {
        return forged.sum();
    }

    public long storedCount(Way way) {
        return adder(way).sum();
    }

    public long gapCount() {
        return storedCount(Way.CATCH_UP) + storedCount(Way.FRESH_SYNC);
    }
}
