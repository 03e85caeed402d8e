package dev.graspsync.store.h2;

import java.nio.ByteBuffer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Walks the entries of one run in order, a block at a time. It is at an entry or at the end. */
final class RunCursor {

    private final Run run;
    private final LongFunction<byte[]> blockBytes;
    private int blockNumber;
    private @Nullable ByteBuffer block;
    private long term;
    private long order;
    private long prefix;
    private long seq;

    /** Begins at the first entry that is not below (term, order, prefix), which is in this block or the next one. */
    RunCursor(Run run, LongFunction<byte[]> blockBytes, int blockNumber, long term, long order, long prefix) {
        this.run = run;
        this.blockBytes = blockBytes;
        this.blockNumber = blockNumber;
        this.block = load();
        advance();
        while (block != null && isBelow(term, order, prefix)) {
            advance();
        }
    }

    private boolean isBelow(long wantedTerm, long wantedOrder, long wantedPrefix) {
        if (term != wantedTerm) {
            return Long.compareUnsigned(term, wantedTerm) < 0;
        }
        return order != wantedOrder
                ? Long.compareUnsigned(order, wantedOrder) < 0
                : Long.compareUnsigned(prefix, wantedPrefix) < 0;
    }

    boolean isAtEnd() {
        return block == null;
    }

    long term() {
        return term;
    }

    long order() {
        return order;
    }

    long prefix() {
        return prefix;
    }

    long seq() {
        return seq;
    }

    void advance() {
        ByteBuffer in = block;
        if (in != null && !in.hasRemaining()) {
            blockNumber++;
            in = load();
            block = in;
        }
        if (in == null) {
            return;
        }
        if (in.get() == 0) {
            term = in.getLong();
            order = in.getLong();
        } else {
            order += Block.getVarint(in);
        }
        prefix = in.getLong();
        seq = Block.getVarint(in);
    }

    private @Nullable ByteBuffer load() {
        return blockNumber >= run.blocks() ? null : ByteBuffer.wrap(run.block(blockNumber, blockBytes));
    }

    /** By term, order, prefix and seq. */
    static int compare(RunCursor one, RunCursor other) {
        int c = Long.compareUnsigned(one.term, other.term);
        return c != 0 ? c : compareInTerm(one, other);
    }

    static int compareInTerm(RunCursor one, RunCursor other) {
        int c = Long.compareUnsigned(one.order, other.order);
        c = c != 0 ? c : Long.compareUnsigned(one.prefix, other.prefix);
        return c != 0 ? c : Long.compareUnsigned(one.seq, other.seq);
    }
}
