package dev.graspsync.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;

/** Publishes to a service that may go away meanwhile, and keeps what it acknowledged until then. */
public final class Publishing implements AutoCloseable {

    private static final int ID = "[\"OK\",\"".length();
    private static final int OK_TRUE = ID + 64 + "\",".length();
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

    /** Over several connections, in the background; the future is done when all is answered or the service is gone. */
    public Future<?> begin(int port, List<Corpus.Item> items, int connections) {
        return threads.submit(() -> {
            try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < connections; i++) {
                    List<Corpus.Item> part = new ArrayList<>();
                    for (int j = i; j < items.size(); j += connections) {
                        part.add(items.get(j));
                    }
                    each.submit(() -> publish(port, part));
                }
            }
        });
    }

    /** Until every event is answered; an {@link IOException} where the service goes away before. */
    public Void publish(int port, List<Corpus.Item> items) throws IOException {
        try (RawClient client = new RawClient(port)) {
            // Sent beside the reading: who does not read is not read either.
            threads.submit(() -> {
                for (byte[] chunk : Load.chunks(items)) {
                    client.send(chunk);
                }
                return null;
            });
            int[] left = {items.size()};
            client.read((message, length) -> {
                if (!RawClient.is("OK", message, length)) {
                    return true;
                }
                if (message[OK_TRUE] == 't') {
                    acknowledged.add(new String(message, ID, 64, US_ASCII));
                }
                return --left[0] > 0;
            });
        }
        return null;
    }

    /** The ids, in hex, of what was acknowledged as stored. */
    public Set<String> acknowledged() {
        return Set.copyOf(acknowledged);
    }

    public void awaitAcknowledged(int count) {
        Awaitility.await(count + " events are acknowledged")
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> acknowledged.size() >= count);
    }

    @Override
    public void close() {
        threads.close();
    }
}
