package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.Tag;
import dev.graspsync.relay.Refusal.Because;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.Provenance.Way;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusalFileTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Provenance FROM =
            Provenance.from(RelayUrl.parse("wss://relay.example").orElseThrow(), Way.LIVE);

    @TempDir
    Path folder;

    private static Refusal refusal(int number) {
        return Refusal.lacking(
                SampleEvent.event(number, SampleEvent.ALICE, 1621),
                "blocked: nothing here — that it names",
                Set.of(SampleEvent.id(7).hex(), SampleEvent.repo(SampleEvent.BOB, "x"), "d:x"),
                FROM,
                NOON);
    }

    @Test
    void whatIsSavedIsThereAgainInItsOrder() {
        Refusals before = new Refusals();
        RefusalFile file = RefusalFile.open(folder, before);
        before.add(refusal(1));
        before.add(Refusal.by(
                SampleEvent.id(9),
                SampleEvent.announcement(2, SampleEvent.BOB, "name", Tag.of("x")),
                Because.SUPERSEDED,
                "duplicate: newer",
                Provenance.DIRECT,
                NOON));
        file.save();

        Refusals after = new Refusals();
        RefusalFile.open(folder, after);

        assertThat(after.all()).isEqualTo(before.all()).hasSize(2);
        assertThat(after.all().getFirst().lacks())
                .as("repositories first, and nothing that says nothing")
                .containsExactly(
                        SampleEvent.repo(SampleEvent.BOB, "x"),
                        SampleEvent.id(7).hex());
    }

    @Test
    void aDamagedFileIsDoneWithoutAndReplaced() throws Exception {
        Files.write(folder.resolve("refusals.bin"), new byte[] {0, 0, 0, 1, 0, 0, 0, 9, 1, 2, 3});
        Refusals refusals = new Refusals();
        RefusalFile file = RefusalFile.open(folder, refusals);
        assertThat(refusals.all()).isEmpty();

        refusals.add(refusal(1));
        file.save();

        Refusals after = new Refusals();
        RefusalFile.open(folder, after);
        assertThat(after.all()).hasSize(1);
    }

    @Test
    void theOldestAreForgottenAndWhatComesAgainCountsAsNew() {
        Refusals refusals = new Refusals(2, 1);
        refusals.add(refusal(1));
        refusals.add(refusal(2));
        refusals.add(refusal(1));
        refusals.add(refusal(3));

        assertThat(refusals.find(SampleEvent.id(2))).isEmpty();
        assertThat(refusals.find(SampleEvent.id(1))).isPresent();
    }

    @Test
    void aForgeryReplacesNothingThatIsKnownOfTheTrueEvent() {
        Refusals refusals = new Refusals();
        refusals.add(refusal(1));
        refusals.add(Refusal.of(
                SampleEvent.event(1, SampleEvent.CAROL, 1),
                Because.FORGED,
                "invalid: the signature does not verify",
                FROM,
                NOON));

        assertThat(refusals.find(SampleEvent.id(1)).orElseThrow().because()).isEqualTo(Because.LACKS);
    }

    /** Whoever makes up events could else have all reasons forgotten. */
    @Test
    void forgeriesTakeNoPlaceOfWhatIsGenuine() {
        Refusals refusals = new Refusals(2, 1);
        refusals.add(refusal(1));
        for (int forged = 10; forged < 15; forged++) {
            refusals.add(Refusal.of(
                    SampleEvent.event(forged, SampleEvent.CAROL, 1),
                    Because.FORGED,
                    "invalid: the signature does not verify",
                    FROM,
                    NOON));
        }

        assertThat(refusals.find(SampleEvent.id(1))).isPresent();
        assertThat(refusals.find(SampleEvent.id(14)).orElseThrow().because()).isEqualTo(Because.FORGED);
        assertThat(refusals.find(SampleEvent.id(13))).isEmpty();
        assertThat(refusals.all()).hasSize(2);
    }
}
