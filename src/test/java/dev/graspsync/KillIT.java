package dev.graspsync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.Publishing;
import dev.graspsync.process.ServiceProcess;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} in the midst of publishing, again and again. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class KillIT {

    private static final int KILLS = 3;
    private static final int CONNECTIONS = 4;
    private static final String ALONE = "-Dgrasp.sync.enabled=false";

    @TempDir
    Path folder;

    private final Corpus corpus = Corpus.generate(23, 40, 40, 0, "relay.example");

    @Test
    void whatWasAcknowledgedIsThereAfterEveryKill() throws Exception {
        ServiceProcess service = ServiceProcess.start(folder, "relay.example", ALONE);
        try (service;
                Publishing publishing = new Publishing()) {
            for (int i = 1; i <= KILLS; i++) {
                // All of it: what is there already is acknowledged as such.
                Future<?> running = publishing.begin(service.port(), corpus.items(), CONNECTIONS);
                publishing.awaitAcknowledged(i * corpus.accepted() / (KILLS + 2));
                service.kill();
                running.get(1, TimeUnit.MINUTES);
                Set<String> acknowledged = publishing.acknowledged();
                service.startAgain();

                assertThat(acknowledged).as("killed in the middle").hasSizeLessThan(corpus.accepted());
                assertThat(Load.ids(service.port())).as("after kill %d", i).containsAll(acknowledged);
            }
            Load.publish(service.port(), corpus.items(), 1);
            assertThat(Load.ids(service.port())).isEqualTo(corpus.acceptedIds());
        }
    }
}
