package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RejectedIdsTest {

    private static final String REPO = "30617:" + "0123456789abcdef".repeat(4) + ":a-repository";

    private final List<Object> forgotten = new ArrayList<>();
    private final RejectedIds rejected = new RejectedIds(forgotten::add);
    private final Instant now = Instant.now();

    /** A relay may have as many that are none of ours. */
    @Test
    void tensOfThousandsAreRemembered() {
        for (int i = 0; i < 40_000; i++) {
            rejected.add(SampleEvent.id(i), Set.of(REPO + i), now);
        }

        assertThat(rejected.size()).isEqualTo(40_000);
        assertThat(forgotten).isEmpty();
    }

    @Test
    void whatArrivesHasThoseForgottenThatLackedIt() {
        rejected.add(SampleEvent.id(1), Set.of(REPO), now);
        rejected.add(SampleEvent.id(2), Set.of("something else"), now);

        rejected.forgetThoseLacking(List.of(REPO), now);

        assertThat(forgotten).containsExactly(SampleEvent.id(1));
        assertThat(rejected.contains(SampleEvent.id(1))).isFalse();
        assertThat(rejected.contains(SampleEvent.id(2))).isTrue();
    }
}
