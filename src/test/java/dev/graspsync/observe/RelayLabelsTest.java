package dev.graspsync.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.RelayTotals;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RelayLabelsTest {

    private final Map<RelayUrl, AtomicLong> known = new LinkedHashMap<>();
    private final RelayLabels<AtomicLong> labels =
            new RelayLabels<>(1, opened -> new RelayTotals(opened.get(), 0, 0, 0, 0, RelayTotals.NONE.inVain()));

    private static RelayUrl relay(String host) {
        return RelayUrl.parse("wss://" + host + ".example").orElseThrow();
    }

    private void counted(String host, long opened) {
        known.computeIfAbsent(relay(host), none -> new AtomicLong()).set(opened);
    }

    private Map<String, Double> totals() {
        return labels.label(known).totals(RelayTotals::opened);
    }

    @Test
    void relaysBeyondTheMostShareOneLabel() {
        counted("a", 1);
        counted("b", 2);
        counted("c", 3);

        RelayLabels.Labelled now = labels.label(known);

        assertThat(now.values(relay -> 2, Double::sum))
                .isEqualTo(Map.of(relay("a").toString(), 2.0, RelayLabels.OTHER, 4.0));
        assertThat(now.values(relay -> relay.equals(relay("b")) ? 3 : 1, Math::max))
                .isEqualTo(Map.of(relay("a").toString(), 1.0, RelayLabels.OTHER, 3.0));
        assertThat(totals()).isEqualTo(Map.of(relay("a").toString(), 1.0, RelayLabels.OTHER, 5.0));
    }

    @Test
    void aRelayKeepsTheLabelThatItGotFirst() {
        counted("m", 10);
        totals();
        counted("a", 1);

        assertThat(totals()).isEqualTo(Map.of(relay("m").toString(), 10.0, RelayLabels.OTHER, 1.0));
    }

    @Test
    void whatIsSharedDoesNotFallWhenARelayIsForgottenOrGetsAPlaceLater() {
        counted("a", 1);
        counted("b", 20);
        totals();
        counted("b", 25);
        known.remove(relay("b"));
        assertThat(totals()).containsEntry(RelayLabels.OTHER, 25.0);

        counted("b", 3);
        assertThat(totals()).as("named again, counted anew").containsEntry(RelayLabels.OTHER, 28.0);

        known.remove(relay("a"));
        counted("c", 4);
        assertThat(totals()).isEqualTo(Map.of(relay("c").toString(), 4.0, RelayLabels.OTHER, 28.0));
    }

    @Test
    void aRelayThatIsForgottenAndNamedAgainBetweenTwoLooksIsCountedTwice() {
        counted("a", 1);
        counted("b", 20);
        totals();

        known.put(relay("b"), new AtomicLong(2));

        assertThat(totals()).containsEntry(RelayLabels.OTHER, 22.0);
    }
}
