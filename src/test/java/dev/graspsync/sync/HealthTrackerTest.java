package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.LogCapture;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.IngestResult;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.RelayLedger;
import dev.graspsync.sync.core.Finding;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class HealthTrackerTest {

    private static final RelayUrl RELAY = RelayUrl.parse("wss://relay.one").orElseThrow();
    private static final RelayUrl OTHER = RelayUrl.parse("wss://relay.two").orElseThrow();
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Inject
    Relay own;

    private final Map<RelayUrl, Map<String, String>> remembered = new HashMap<>();
    private LogCapture log;
    private HealthTracker health;

    @BeforeEach
    void start() {
        log = LogCapture.of(HealthTracker.class);
        health = new HealthTracker(
                new RelayLedger() {
                    @Override
                    public Map<RelayUrl, Map<String, String>> load() {
                        return remembered;
                    }

                    @Override
                    public void save(Map<RelayUrl, Map<String, String>> changed) {
                        remembered.putAll(changed);
                    }

                    @Override
                    public void remove(RelayUrl relay) {
                        remembered.remove(relay);
                    }

                    @Override
                    public void close() {}
                },
                own.store(),
                Duration.ofDays(1),
                100);
    }

    @AfterEach
    void stop() {
        log.close();
    }

    @Test
    void toLookAtAForgottenRelayDoesNotBringItBack() {
        health.counters(RELAY).opened();
        health.forget(RELAY);

        assertThat(health.counted(RELAY).openedCount()).isZero();
        health.disconnected(RELAY);
        health.save();

        assertThat(health.counters()).isEmpty();
    }

    @Test
    void whatAllRelaysWereCountedDoesNotFallWhenOneIsForgotten() {
        health.counters(RELAY).bytes(100);
        health.counters(RELAY).sent(10);
        health.counters(OTHER).bytes(7);

        health.forget(RELAY);
        assertThat(health.totals()).isEqualTo(new RelayTotals(0, 0, 0, 107, 10, RelayTotals.NONE.inVain()));

        health.counters(RELAY).bytes(1);
        assertThat(health.totals().bytesReceived()).isEqualTo(108);
        assertThat(health.counted(RELAY).bytesCount()).isEqualTo(1);
    }

    @Test
    void aRefusedEventIsNoGap() {
        health.counters(RELAY).settled(dev.graspsync.store.Provenance.Way.CATCH_UP, IngestResult.failed());

        assertThat(health.totals().gaps()).isZero();
    }

    @Test
    void aFailedConnectionIsAWarningWithTheAttemptAndTheNext() {
        health.found(RELAY, new Finding.BackingOff(4, NOON, "connection refused"));

        assertThat(log.lines())
                .containsExactly("WARN Relay " + RELAY
                        + " failed (4 in a row): connection refused; next attempt at 2026-01-01T12:00:00Z");
    }

    @Test
    void aDeadRelayIsAnErrorWithSinceWhen() {
        health.found(RELAY, new Finding.Dead(NOON, NOON.plus(Duration.ofDays(2))));

        assertThat(log.lines()).singleElement().asString().startsWith("ERROR Relay " + RELAY + " is dead");
        assertThat(log.lines()).singleElement().asString().contains("since 2026-01-01T12:00:00Z");
    }

    @Test
    void aRelayThatIsWellAgainIsALineOfInformation() {
        health.found(RELAY, new Finding.Recovered());

        assertThat(log.lines()).containsExactly("INFO Relay " + RELAY + " is healthy again");
    }
}
