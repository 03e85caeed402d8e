package dev.graspsync.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.RelayUrl;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RelayLabelsTest {

    @Test
    void relaysBeyondTheMostShareOneLabel() {
        RelayLabels labels =
                new RelayLabels(new TreeSet<>(List.of(relay("a.example"), relay("b.example"), relay("c.example"))), 1);

        assertThat(labels.values(relay -> 2, Double::sum))
                .isEqualTo(Map.of(relay("a.example").toString(), 2.0, RelayLabels.OTHER, 4.0));
        assertThat(labels.values(relay -> relay.equals(relay("b.example")) ? 3 : 1, Math::max))
                .isEqualTo(Map.of(relay("a.example").toString(), 1.0, RelayLabels.OTHER, 3.0));
    }

    private static RelayUrl relay(String host) {
        return RelayUrl.parse("wss://" + host).orElseThrow();
    }
}
