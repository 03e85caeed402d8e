package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.SecretKey;
import dev.graspsync.sync.core.SyncSettings;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyncOptionsTest {

    private static SyncOptions options(Map<String, String> values) {
        SyncConfig config = new SmallRyeConfigBuilder()
                .withMapping(SyncConfig.class)
                .withConverter(Duration.class, 200, new DurationConverter())
                .withDefaultValues(values)
                .build()
                .getConfigMapping(SyncConfig.class);
        return SyncOptions.of(config, Optional.empty());
    }

    @Test
    void theDefaultsAreTheCoresOwn() {
        SyncOptions options = options(Map.of());

        assertThat(options.settings()).isEqualTo(SyncSettings.DEFAULTS.with(SyncSettings.Comparing.FETCH));
        assertThat(options.connection()).isEqualTo(ConnectionLimits.DEFAULTS);
        assertThat(options.enabled()).isTrue();
        assertThat(options.batchWindow()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.disconnectCheckInterval()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.secretKey()).isEmpty();
        assertThat(options.targets().refusal(InetAddress.getLoopbackAddress())).isPresent();
    }

    @Test
    void everyKeyArrivesWhereItIsUsed() {
        String secret = "ab".repeat(32);
        SyncOptions options = options(Map.ofEntries(
                Map.entry("grasp.sync.enabled", "false"),
                Map.entry("grasp.sync.bootstrap-relays", "wss://A.example/,ws://b.example:7777"),
                Map.entry("grasp.sync.batch-window", "1s"),
                Map.entry("grasp.sync.quick-reconnect-window", "2m"),
                Map.entry("grasp.sync.consolidation-threshold", "3"),
                Map.entry("grasp.sync.tags-per-filter", "4"),
                Map.entry("grasp.sync.disconnect-check-interval", "5s"),
                Map.entry("grasp.sync.fresh-sync.min", "6h"),
                Map.entry("grasp.sync.fresh-sync.max", "7h"),
                Map.entry("grasp.sync.backoff.base", "8s"),
                Map.entry("grasp.sync.backoff.max", "9m"),
                Map.entry("grasp.sync.backoff.dead-after", "10h"),
                Map.entry("grasp.sync.backoff.dead-retry", "11h"),
                Map.entry("grasp.sync.allow-private-targets", "true"),
                Map.entry("grasp.sync.max-relays", "12"),
                Map.entry("grasp.sync.max-relays-per-repo", "13"),
                Map.entry("grasp.sync.max-message-length", "140000"),
                Map.entry("grasp.sync.compression", "true"),
                Map.entry("grasp.sync.secret-key", secret)));

        SyncSettings settings = options.settings();
        assertThat(options.enabled()).isFalse();
        assertThat(settings.relays().bootstrap())
                .containsExactly(
                        RelayUrl.parse("wss://a.example").orElseThrow(),
                        RelayUrl.parse("ws://b.example:7777").orElseThrow());
        assertThat(options.batchWindow()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.quickReconnectWindow()).isEqualTo(Duration.ofMinutes(2));
        assertThat(settings.budgets().consolidationThreshold()).isEqualTo(3);
        assertThat(settings.budgets().tagsPerFilter()).isEqualTo(4);
        assertThat(options.disconnectCheckInterval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.freshSync().min()).isEqualTo(Duration.ofHours(6));
        assertThat(settings.freshSync().max()).isEqualTo(Duration.ofHours(7));
        assertThat(settings.backoff().base()).isEqualTo(Duration.ofSeconds(8));
        assertThat(settings.backoff().max()).isEqualTo(Duration.ofMinutes(9));
        assertThat(settings.backoff().deadAfter()).isEqualTo(Duration.ofHours(10));
        assertThat(settings.backoff().deadRetry()).isEqualTo(Duration.ofHours(11));
        assertThat(options.targets().refusal(InetAddress.getLoopbackAddress())).isEmpty();
        assertThat(settings.places().all()).isEqualTo(12);
        assertThat(settings.places().perRepo()).isEqualTo(13);
        assertThat(options.connection().maxMessageBytes()).isEqualTo(140_000);
        assertThat(options.connection().compression()).isTrue();
        assertThat(options.secretKey()).isEqualTo(SecretKey.parse(secret));
    }

    @ParameterizedTest
    @CsvSource({
        "batch-window, -5s, not a positive duration",
        "batch-window, 0s, not a positive duration",
        "quick-reconnect-window, -1m, not a positive duration",
        "disconnect-check-interval, 0s, not a positive duration",
        "fresh-sync.min, 26h, is above grasp.sync.fresh-sync.max",
        "fresh-sync.max, -1h, not a positive duration",
        "backoff.base, 2h, is above grasp.sync.backoff.max",
        "backoff.dead-after, -1s, not a positive duration",
        "backoff.dead-retry, 0s, not a positive duration",
        "consolidation-threshold, 0, is below 1",
        "tags-per-filter, -1, is below 1",
        "max-relays, 0, is below 1",
        "max-relays-per-repo, 0, is below 1",
        "max-message-length, 100, is below 65536",
        "max-message-length, 2000000000, is above",
        "bootstrap-relays, https://relay.example, not a ws:// or wss:// URL",
        "secret-key, 123456, not a secret key",
    })
    void whatMakesNoSenseIsNamedInOneLine(String key, String value, String why) {
        assertThatThrownBy(() -> options(Map.of("grasp.sync." + key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("grasp.sync." + key + ": ")
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aMisspeltSecretIsNotRepeated() {
        assertThatThrownBy(() -> options(Map.of("grasp.sync.secret-key", "0123hunter2")))
                .hasMessageNotContaining("hunter2");
    }
}
