package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.ServiceProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
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
}
