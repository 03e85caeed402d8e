package dev.graspsync.store.h2;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Walks the entries of one run in order, a block at a time. */
final class RunCursor {

    private final Run run;
    private final LongFunction<byte[]> blockBytes;
    private int blockNumber;
    private @Nullable Block block;
    private int position;

    RunCursor(Run run, LongFunction<byte[]> blockBytes, int blockNumber, long term, long order, long prefix) {
        this.run = run;
        this.blockBytes = blockBytes;
        this.blockNumber = blockNumber;
        this.block = load();
        if (block != null) {
            position = block.seek(term, order, prefix);
            skipToNextBlock();
        }
    }

    /** The entry under the cursor, or null at the end of the run. */
    @Nullable
    Entry current() {
        return block == null ? null : block.entry(position);
    }

    void advance() {
        position++;
        skipToNextBlock();
    }

    private void skipToNextBlock() {
        while (block != null && position >= block.size()) {
            blockNumber++;
            position = 0;
            block = load();
        }
    }

    private @Nullable Block load() {
        return blockNumber >= run.blocks() ? null : Block.unpack(blockBytes.apply(Run.blockKey(run.id(), blockNumber)));
    }
}
