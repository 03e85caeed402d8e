package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.Publishing;
import dev.graspsync.process.ServiceProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What SIGTERM does to a service that clients are connected to. */
class StopIT {

    @TempDir
    Path folder;

    @Test
    void aStopWithConnectedClientsEndsInTimeAndWithoutAnError() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient();
                ServiceProcess service = ServiceProcess.start(folder, "relay.example")) {
            WebSocket client = http.newWebSocketBuilder()
                    .buildAsync(URI.create(service.relayUrl()), new WebSocket.Listener() {})
                    .join();

            ServiceProcess.Stopped stopped = service.stop();

            client.abort();
            assertThat(stopped.time()).isLessThan(Duration.ofSeconds(5));
            assertThat(service.log()).contains("The state of the sync is saved").doesNotContain(" ERROR ", "Exception");
        }
    }

    @Test
    void aStopInTheMidstOfPublishingEndsInTimeAndKeepsWhatWasAcknowledged() throws Exception {
        Corpus corpus = Corpus.generate(29, 40, 40, 0, "relay.example");
        try (ServiceProcess service = ServiceProcess.start(folder, "relay.example", "-Dgrasp.sync.enabled=false");
                Publishing publishing = new Publishing()) {
            Future<?> running = publishing.begin(service.port(), corpus.items(), 4);
            publishing.awaitAcknowledged(corpus.accepted() / 4);

            ServiceProcess.Stopped stopped = service.stop();

            running.get(1, TimeUnit.MINUTES);
            assertThat(stopped.time()).isLessThan(Duration.ofSeconds(5));
            assertThat(stopped.exitCode()).isEqualTo(143);
            assertThat(service.log()).doesNotContain(" ERROR ", "Exception");
            assertThat(publishing.acknowledged()).as("stopped in the middle").hasSizeLessThan(corpus.accepted());
            service.startAgain();
            assertThat(Load.ids(service.port())).containsAll(publishing.acknowledged());
        }
    }
}
