package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.WriteBatch;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.wire.EventJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rule 18 across a stop and a start: what was refused is not fetched again. */
class UnwantedFileTest {

    private static final String RULES = "relay.example HOSTED";
    private static final String REPO = SampleEvent.repo(SampleEvent.BOB, "x");

    @TempDir
    Path folder;

    private EventStore store;
    private final Instant now = Instant.now();

    /** The memory of one run. */
    private final class Run {

        final UnwantedEvents unwanted = new UnwantedEvents();
        final RejectedIds rejected = new RejectedIds(unwanted::remove);
        final UnwantedFile file;

        Run(String rules) {
            file = UnwantedFile.open(folder, rules, store, rejected, unwanted);
        }

        List<EventId> found(Filter filter) {
            List<EventId> found = new ArrayList<>();
            unwanted.matching(filter, (createdAt, id) -> found.add(id));
            return found;
        }
    }

    @BeforeEach
    void open() {
        store = H2EventStore.open(folder, 4);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** One that was refused for good and two that lack something. */
    private void firstRun() {
        Run run = new Run(RULES);
        run.unwanted.add(SampleEvent.event(1, SampleEvent.ALICE, 1), now);
        for (int i = 2; i <= 3; i++) {
            run.rejected.add(SampleEvent.id(i), Set.of(REPO), now);
            run.unwanted.addForNow(SampleEvent.event(i, SampleEvent.ALICE, 1621, Tag.of("a", REPO)), now);
        }
        run.file.save();
    }

    @Test
    void whatWasRefusedIsFoundByTheSameFilters() {
        firstRun();

        Run next = new Run(RULES);

        assertThat(next.found(Filter.ALL)).containsExactly(SampleEvent.id(1), SampleEvent.id(2), SampleEvent.id(3));
        assertThat(next.found(Filter.ALL.withKinds(1))).containsExactly(SampleEvent.id(1));
        assertThat(next.found(Filter.ALL.withTag("a", Set.of(REPO))))
                .containsExactly(SampleEvent.id(2), SampleEvent.id(3));
    }

    @Test
    void whatArrivesAfterTheStartMakesWantedAgainWhatLackedIt() {
        firstRun();
        Run next = new Run(RULES);
        assertThat(next.rejected.contains(SampleEvent.id(2))).isTrue();

        next.rejected.forgetThoseLacking(Set.of(REPO), now);

        assertThat(next.found(Filter.ALL)).containsExactly(SampleEvent.id(1));
        assertThat(next.rejected.size()).isZero();
    }

    @Test
    void whatMayBeWantedSomeDayIsForgottenWhereNothingKnowsWhatItLacks() {
        Run run = new Run(RULES);
        run.unwanted.addForNow(SampleEvent.event(2, SampleEvent.ALICE, 1621), now);
        run.file.save();

        assertThat(new Run(RULES).unwanted.size()).isZero();
    }

    @Test
    void aStoreThatHasSeenMoreSinceDoesNotBelieveIt() {
        firstRun();
        try (WriteBatch batch = store.begin()) {
            batch.save(
                    EventJson.encodeIfIdMatches(dev.graspsync.TestKeys.ALICE.sign(1, 1_000, List.of(), ""))
                            .orElseThrow(),
                    0,
                    Provenance.DIRECT,
                    1_000);
            batch.commit();
        }

        Run next = new Run(RULES);

        assertThat(next.unwanted.size()).isZero();
        assertThat(next.rejected.size()).isZero();
    }

    @Test
    void underOtherRulesItIsForgotten() {
        firstRun();

        assertThat(new Run("relay.example ARCHIVE").unwanted.size()).isZero();
    }

    @Test
    void aWeekLaterItIsForgotten() {
        Run run = new Run(RULES);
        Instant before = now.minus(UnwantedEvents.REMEMBERED).minus(Duration.ofSeconds(1));
        run.rejected.add(SampleEvent.id(2), Set.of(REPO), before);
        run.unwanted.add(SampleEvent.event(1, SampleEvent.ALICE, 1), before);
        run.file.save();

        Run next = new Run(RULES);

        assertThat(next.unwanted.size()).isZero();
        assertThat(next.rejected.size()).isZero();
    }

    @Test
    void aFileThatCannotBeReadIsDoneWithout() throws Exception {
        firstRun();
        Path file = folder.resolve("unwanted.bin");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));

        assertThat(new Run(RULES).found(Filter.ALL).size()).isLessThan(3);
    }
}
