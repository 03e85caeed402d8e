package dev.graspsync.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.LogCapture;
import dev.graspsync.sync.HealthTracker;
import dev.graspsync.sync.SyncManager;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a running service says of connections that come about and of those that do not. */
@QuarkusTest
@TestProfile(LogLevelsTest.OfItsOwn.class)
class LogLevelsTest {

    /** Other tests count the connections. */
    public static final class OfItsOwn extends SyncMetricsTest.TwoRelays {}

    @Test
    void aConnectionIsALineOfInformationAndAFailedOneAWarning() {
        try (LogCapture manager = LogCapture.of(SyncManager.class);
                LogCapture health = LogCapture.of(HealthTracker.class)) {
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                // Until it has connected there is nothing to hang up.
                SyncMetricsTest.Reachable.hangUp();
                assertThat(manager.lines()).anyMatch(line -> line.matches("INFO Relay ws://127\\S+ is connected"));
            });
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(health.lines())
                                    .anyMatch(
                                            line -> line.matches(
                                                    "WARN Relay ws://127.0.0.1:1\\S* failed \\(\\d+ in a row\\): .*; next attempt at \\S+")));
        }
    }
}
