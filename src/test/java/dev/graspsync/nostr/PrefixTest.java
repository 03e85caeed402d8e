package dev.graspsync.nostr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrefixTest {

    @ParameterizedTest
    @EnumSource
    void readsWhatItWrites(Prefix prefix) {
        assertThat(Prefix.of(prefix.with("because: so"))).contains(prefix);
    }

    @Test
    void spellsAsNip01Does() {
        assertThat(Prefix.BLOCKED.with("text")).isEqualTo("blocked: text");
        assertThat(Prefix.RATE_LIMITED.with("slow down")).isEqualTo("rate-limited: slow down");
    }

    @Test
    void otherMessagesHaveNone() {
        assertThat(Prefix.of("")).isEmpty();
        assertThat(Prefix.of("blocked")).isEmpty();
        assertThat(Prefix.of("ERROR: too many concurrent REQs")).isEmpty();
    }
}
