package dev.graspsync.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

class ProgressCheckTest {

    private static final Duration SHORT = Duration.ofSeconds(100);
    private static final Duration LONG = Duration.ofMinutes(3);

    private static HealthCheckResponse check(Duration writer, Duration engine, boolean syncing) {
        return new ProgressCheck(() -> writer, () -> engine, syncing).call();
    }

    private static Map<String, Object> data(HealthCheckResponse response) {
        return response.getData().orElseThrow();
    }

    @Test
    void itIsAliveWhileBothComeRound() {
        assertThat(check(SHORT, SHORT, true).getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
    }

    @Test
    void aStuckWriterIsDownAndNamed() {
        HealthCheckResponse response = check(LONG, SHORT, true);

        assertThat(response.getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
        assertThat(data(response)).containsEntry("engine", "running");
        assertThat(data(response).get("writer")).asString().contains("no progress for 180 s");
    }

    @Test
    void aStuckEngineIsDownAndNamed() {
        HealthCheckResponse response = check(SHORT, LONG, true);

        assertThat(response.getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
        assertThat(data(response)).containsEntry("writer", "running");
        assertThat(data(response).get("engine")).asString().contains("no progress for 180 s");
    }

    @Test
    void anEngineThatIsOffIsNotMissed() {
        HealthCheckResponse response = check(SHORT, LONG, false);

        assertThat(response.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(data(response).get("engine")).asString().startsWith("off");
    }
}
