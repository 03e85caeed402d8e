package dev.graspsync;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.RawClient;
import dev.graspsync.process.ServiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Too little memory for what is asked of it: whether the service endures that or dies of it, what it acknowledged is there. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TinyHeapIT {

    private static final int PUBLISHERS = 20;
    private static final int READERS = 60;
    private static final int ID = "[\"OK\",\"".length();
    private static final int OK_TRUE = ID + 64 + "\",".length();

    @TempDir
    Path folder;

    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

    @Test
    void runningOutOfMemoryLosesNothingThatWasAcknowledged() throws Exception {
        Corpus corpus = Corpus.generate(17, 60, 40, 0, "relay.example");
        ServiceProcess service =
                ServiceProcess.start(folder, "relay.example", "-Xmx40m", "-XX:+ExitOnOutOfMemoryError");
        // These are acknowledged whatever becomes of the service later.
        publish(service.port(), part(corpus, 0));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 1; i < PUBLISHERS; i++) {
                List<Corpus.Item> part = part(corpus, i);
                threads.submit(() -> publish(service.port(), part));
            }
            for (int i = 0; i < READERS; i++) {
                threads.submit(() -> askForEverything(service.port()));
            }
        }
        service.kill();

        try (ServiceProcess again = ServiceProcess.startAt(service.port(), folder, "-Dgrasp.domain=relay.example")) {
            assertThat(acknowledged).isNotEmpty();
            assertThat(Load.ids(again.port())).containsAll(acknowledged);
        }
    }

    private static List<Corpus.Item> part(Corpus corpus, int number) {
        List<Corpus.Item> part = new ArrayList<>();
        for (int i = number; i < corpus.size(); i += PUBLISHERS) {
            part.add(corpus.items().get(i));
        }
        return part;
    }

    /** Until every event is answered, or the service is gone. */
    private Void publish(int port, List<Corpus.Item> items) throws IOException {
        try (RawClient client = new RawClient(port)) {
            for (Corpus.Item item : items) {
                client.send(RawClient.eventFrame(item.json()));
            }
            int[] left = {items.size()};
            client.read((message, length) -> {
                if (RawClient.is("OK", message, length) && message[OK_TRUE] == 't') {
                    acknowledged.add(new String(message, ID, 64, US_ASCII));
                }
                return --left[0] > 0;
            });
        }
        return null;
    }

    private static Void askForEverything(int port) throws Exception {
        try (RawClient client = new RawClient(port)) {
            for (int i = 0; i < 20; i++) {
                client.send("[\"REQ\",\"all-" + i + "\",{}]");
            }
            client.read((message, length) -> RawClient.is("EVENT", message, length));
        }
        return null;
    }
}
