package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LookupTurnsTest {

    private final LookupTurns turns = new LookupTurns(2);
    private final List<String> started = new ArrayList<>();

    /** Rule 26: one slow or hostile relay cannot slow another. */
    @Test
    void rule26NamesOfOneDomainWaitForOneAnotherAndForNobodyElse() {
        for (int i = 0; i < 100; i++) {
            begin("slow.example", "slow" + i);
        }
        begin("other.example", "other");
        assertThat(started).containsExactly("slow0", "slow1", "other");

        turns.ended("slow.example");
        assertThat(started).endsWith("other", "slow2").hasSize(4);
    }

    @Test
    void everybodyHasTheirTurnInTheOrderTheyCame() {
        for (int i = 0; i < 5; i++) {
            begin("a.example", String.valueOf(i));
        }
        for (int i = 0; i < 5; i++) {
            turns.ended("a.example");
        }
        begin("a.example", "later");
        assertThat(started).containsExactly("0", "1", "2", "3", "4", "later");
    }

    @ParameterizedTest
    @CsvSource({
        "relay.example.com, example.com",
        "a.b.c.example.com, example.com",
        "example.com, example.com",
        "localhost, localhost",
        "10.1.2.3, 10.1.2.3",
        "2001:db8::1.2.3.4, 2001:db8::1.2.3.4"
    })
    void aDomainIsTheEndOfAName(String host, String domain) {
        assertThat(LookupTurns.domainOf(host)).isEqualTo(domain);
    }

    private void begin(String domain, String name) {
        turns.run(domain, () -> started.add(name));
    }
}
