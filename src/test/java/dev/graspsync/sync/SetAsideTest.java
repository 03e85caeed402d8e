package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the own relay did not take is tried for long, beside the rest, and within bounds. */
class SetAsideTest {

    private static final EventId ID = EventId.parse("a".repeat(64)).orElseThrow();

    private final SetAside aside = new SetAside();
    private Instant now = Instant.ofEpochSecond(1_000_000);

    private Optional<EventId> tryInVain(long seq) {
        now = now.plus(SetAside.EVERY);
        assertThat(aside.due(now)).hasValue(seq);
        aside.offered(seq, ID, now);
        return aside.failed(now);
    }

    @Test
    void itIsTriedOnceAnHour() {
        aside.add(7, now);

        assertThat(aside.due(now.plus(Duration.ofMinutes(59)))).isEmpty();
        assertThat(aside.due(now.plus(Duration.ofMinutes(60)))).hasValue(7);
    }

    @Test
    void oneIsTriedAtATime() {
        aside.add(7, now);
        aside.add(8, now);
        now = now.plus(SetAside.EVERY);
        aside.offered(7, ID, now);

        assertThat(aside.due(now)).isEmpty();
        aside.done();
        assertThat(aside.due(now)).hasValue(8);
        assertThat(aside.seqs()).containsExactly(8L);
    }

    @Test
    void itIsLeftOutAfterADayInWhichTheRelayTookOthers() {
        aside.add(7, now);
        aside.tookOne();
        for (int i = 1; i < SetAside.MOST_ATTEMPTS; i++) {
            assertThat(tryInVain(7)).isEmpty();
        }

        assertThat(tryInVain(7)).hasValue(ID);
        assertThat(aside.size()).isZero();
    }

    @Test
    void aRelayThatTakesNothingAtAllLosesNothing() {
        aside.add(7, now);

        for (int i = 0; i < 10 * SetAside.MOST_ATTEMPTS; i++) {
            assertThat(tryInVain(7)).isEmpty();
        }
        assertThat(aside.seqs()).containsExactly(7L);
    }

    @Test
    void onlySoManyAreSetAside() {
        for (int i = 0; i < SetAside.MOST; i++) {
            assertThat(aside.add(i, now)).isTrue();
        }

        assertThat(aside.add(SetAside.MOST, now)).isFalse();
        assertThat(aside.size()).isEqualTo(SetAside.MOST);
    }

    @Test
    void theLedgerRemembersThePlaces() {
        Published place = new Published(100, List.of(3L, 70L));

        assertThat(Published.read(place.write())).isEqualTo(place);
        assertThat(Published.read(Map.of("published-up-to", "9"))).isEqualTo(Published.upTo(9));
        assertThat(Published.read(Map.of("published-up-to", "x", "published-aside", "y 4 -1")))
                .isEqualTo(new Published(0, List.of(4L)));
        assertThat(Published.read(Map.of())).isNull();
    }
}
