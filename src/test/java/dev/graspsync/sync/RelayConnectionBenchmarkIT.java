package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.sync.core.RelayHints;
import dev.graspsync.wire.EventJson;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How fast one connection takes events in, JSON included: {@code ./mvnw test -Pbench -Dtest=RelayConnectionBenchmarkIT}. */
@Tag("bench")
class RelayConnectionBenchmarkIT {

    private static final int EVENTS = 500_000;
    private static final int ROUNDS = 3;

    @Test
    void takesEventsFasterThanTheyCanBeVerified() throws Exception {
        String json =
                new String(EventJson.write(TestKeys.ALICE.sign(1, 1_700_000_000, List.of(), "x".repeat(450))), UTF_8);
        byte[] frame = text("[\"EVENT\",\"s\"," + json + "]");
        byte[][] block = new byte[100][];
        Arrays.fill(block, frame);
        byte[] bytes = RawRelay.concat(block);
        Vertx vertx = Vertx.vertx();
        double best = 0;
        try (RawRelay relay = new RawRelay((client, request) -> {
            write(client, accept(request));
            for (int i = 0; i < EVENTS / block.length; i++) {
                write(client, bytes);
            }
            readToEnd(client);
        })) {
            RelayConnector connector =
                    new RelayConnector(vertx, new TargetRules(true), ConnectionLimits.DEFAULTS, InstantSource.system());
            for (int round = 0; round < ROUNDS; round++) {
                Counting counting = new Counting();
                RelayConnection connection = connector.connect(relay.url(), counting);
                assertThat(counting.left.await(60, TimeUnit.SECONDS)).isTrue();
                double seconds = (System.nanoTime() - counting.begun) / 1e9;
                best = Math.max(best, EVENTS / seconds);
                connection.close();
            }
        }
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        System.out.printf("%,.0f events/s of %d bytes on one connection%n", best, frame.length);
        // What a core verifies in a second is the ceiling of all that follows.
        assertThat(best).isGreaterThan(33_000);
    }

    private static final class Counting implements RelayListener {
        final CountDownLatch left = new CountDownLatch(EVENTS);
        volatile long begun;

        @Override
        public void opened(RelayHints hints) {
            begun = System.nanoTime();
        }

        @Override
        public void openFailed(String why) {
            throw new AssertionError(why);
        }

        @Override
        public void received(RelayMessage message) {
            left.countDown();
        }

        @Override
        public void malformed(String why) {
            throw new AssertionError(why);
        }

        @Override
        public void lost(Instant lastHeard, String why) {
            throw new AssertionError(why);
        }
    }
}
