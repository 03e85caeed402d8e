package dev.graspsync.negentropy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;

/**
 * Bytes chosen by a fuzzer, given to both sides. Anything thrown is a finding; so is an answer beyond its limit. Inputs
 * worth keeping lie in the resources, by the name of the method.
 */
@Tag("fuzz")
class NegentropyFuzzTest {

    private static final int LIMIT = RangeWriter.SMALLEST_LIMIT;
    private static final SealedSet SET = set();

    @FuzzTest(maxDuration = "15s")
    void anyMessageIsAnsweredOrRefused(byte[] message) {
        switch (new NegentropyServer(SET, LIMIT).reconcile(message)) {
            case ServerStep.Reply(byte[] reply) -> checkSize(reply);
            case ServerStep.Failed(Failure _) -> {}
        }
        NegentropyClient client = new NegentropyClient(SET, LIMIT, 1_000);
        switch (client.reconcile(message)) {
            case ClientStep.Continue(Ids _, Ids need, byte[] next) -> {
                checkSize(next);
                checkNeed(need, message);
            }
            case ClientStep.Done(Ids _, Ids need) -> checkNeed(need, message);
            case ClientStep.Failed(Failure _) -> {}
        }
    }

    private static void checkSize(byte[] message) {
        if (message.length > LIMIT) {
            throw new AssertionError("a message of " + message.length + " bytes");
        }
    }

    private static void checkNeed(Ids need, byte[] message) {
        if (need.size() > message.length / Ids.BYTES) {
            throw new AssertionError(need + " out of " + message.length + " bytes");
        }
    }

    /** Small and low times, so that a fuzzer hits ranges that hold something. */
    private static SealedSet set() {
        Random random = new Random(77);
        List<Item> items = IntStream.range(0, 300)
                .mapToObj(i -> Item.random(random, 0, 200))
                .toList();
        return Item.seal(items);
    }
}
