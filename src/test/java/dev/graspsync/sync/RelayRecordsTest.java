package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.RelayBudget;
import dev.graspsync.sync.core.RelayRecord;
import dev.graspsync.sync.core.RelayRecord.Coverage;
import dev.graspsync.sync.core.RelayRecord.Reliability;
import dev.graspsync.sync.core.RepoDigests;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class RelayRecordsTest {

    private static final RelayUrl RELAY = RelayUrl.parse("wss://relay.example").orElseThrow();
    private static final RelayBudget INITIAL = RelayBudget.initial(100);

    private final RelayRecords records = new RelayRecords(INITIAL);

    @Property(tries = 500)
    void whatIsWrittenIsRead(@ForAll("records") RelayRecord record) {
        assertThat(records.read(RELAY, RelayRecords.write(record))).isEqualTo(record);
    }

    @Property(tries = 500)
    void garbledValuesReadAsUnknownAndLeaveTheOthersAlone(
            @ForAll("records") RelayRecord record, @ForAll int which, @ForAll("garbage") String garbage) {
        Map<String, String> values = new TreeMap<>(RelayRecords.write(record));
        String name = values.keySet().stream()
                .skip(Math.floorMod(which, values.size()))
                .findFirst()
                .orElseThrow();
        values.put(name, garbage);

        Map<String, String> read = RelayRecords.write(records.read(RELAY, values));

        RelayRecords.write(record).forEach((other, value) -> {
            boolean together = other.startsWith("budget.") || other.startsWith("synced.");
            if (!other.equals(name) && !together) {
                assertThat(read).containsEntry(other, value);
            }
        });
    }

    @Test
    void nothingKnownIsARelayNeverMet() {
        assertThat(records.read(RELAY, Map.of()))
                .isEqualTo(new RelayRecord(
                        RELAY,
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        INITIAL,
                        Reliability.NONE,
                        Coverage.NONE,
                        Optional.empty(),
                        Optional.empty()));
    }

    @Test
    void aBudgetThatLeavesNoRoomIsNotBelieved() {
        assertThat(records.read(RELAY, Map.of("budget.subscriptions", "0")).budget())
                .isEqualTo(INITIAL);
        assertThat(records.read(RELAY, Map.of("budget.subscriptions", "5"))
                        .budget()
                        .subscriptions())
                .isEqualTo(5);
    }

    @Provide
    Arbitrary<String> garbage() {
        return Arbitraries.oneOf(
                Arbitraries.strings(),
                Arbitraries.of("", "-1", "99999999999999999999", "NaN", "PT-5S", "2026-13-01T00:00:00Z", "true"));
    }

    @Provide
    Arbitrary<RelayRecord> records() {
        return Combinators.combine(
                        Arbitraries.integers().greaterOrEqual(0),
                        instants(),
                        instants(),
                        instants(),
                        instants(),
                        budgets(),
                        reliabilities(),
                        synced())
                .as((failures, since, next, due, last, budget, reliability, synced) -> new RelayRecord(
                        RELAY,
                        failures,
                        since,
                        next,
                        due,
                        last,
                        budget,
                        reliability,
                        new Coverage(failures, 7),
                        since,
                        synced));
    }

    private static Arbitrary<Optional<RelayRecord.Synced>> synced() {
        Arbitrary<RepoDigests> digests = Arbitraries.bytes()
                .array(byte[].class)
                .ofMaxSize(64)
                .map(bytes -> Base64.getEncoder().encodeToString(Arrays.copyOf(bytes, bytes.length / 8 * 8)))
                .map(text -> RepoDigests.read(text).orElseThrow());
        return Combinators.combine(instants(), Arbitraries.of(true, false), digests)
                .as((upTo, announcements, repos) -> upTo.map(at -> new RelayRecord.Synced(at, announcements, repos)));
    }

    private static Arbitrary<Optional<Instant>> instants() {
        return Arbitraries.longs()
                .between(0, 4_000_000_000_000L)
                .map(Instant::ofEpochMilli)
                .optional();
    }

    private static Arbitrary<RelayBudget> budgets() {
        return Combinators.combine(
                        Arbitraries.integers().greaterOrEqual(3),
                        Arbitraries.integers().greaterOrEqual(1),
                        Arbitraries.integers().greaterOrEqual(1),
                        Arbitraries.integers().greaterOrEqual(4_096),
                        Arbitraries.of(true, false),
                        Arbitraries.integers().greaterOrEqual(1),
                        Arbitraries.integers().greaterOrEqual(0))
                .as(RelayBudget::new);
    }

    private static Arbitrary<Reliability> reliabilities() {
        Arbitrary<Duration> durations = Arbitraries.longs().greaterOrEqual(0).map(Duration::ofMillis);
        Arbitrary<Long> counts = Arbitraries.longs().greaterOrEqual(0);
        return Combinators.combine(counts, counts, durations, durations).as(Reliability::new);
    }
}
