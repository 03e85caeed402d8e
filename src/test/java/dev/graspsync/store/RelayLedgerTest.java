package dev.graspsync.store;

import static dev.graspsync.store.LedgerWriter.relay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.store.h2.H2RelayLedger;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelayLedgerTest {

    private static final int KILLS = 10;

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("relays.mv");
    }

    @Test
    void remembersAcrossRestartsAndReplacesWhatChanged() {
        RelayUrl inbox = RelayUrl.parse("wss://relay1.example/inbox").orElseThrow();
        try (RelayLedger ledger = H2RelayLedger.open(folder)) {
            assertThat(ledger.load()).isEmpty();
            ledger.save(Map.of(
                    relay(1), Map.of("a", "1", "b", "line\nfeed"), relay(2), Map.of("a", "é"), inbox, Map.of("c", "")));
            ledger.save(Map.of(relay(1), Map.of("b", "2")));
        }
        try (RelayLedger ledger = H2RelayLedger.open(folder)) {
            assertThat(ledger.load())
                    .isEqualTo(Map.of(relay(1), Map.of("b", "2"), relay(2), Map.of("a", "é"), inbox, Map.of("c", "")));
            ledger.remove(relay(1));
            assertThat(ledger.load()).containsOnlyKeys(relay(2), inbox);
        }
        try (RelayLedger ledger = H2RelayLedger.open(folder)) {
            assertThat(ledger.load()).containsOnlyKeys(relay(2), inbox);
        }
    }

    @Test
    void aFileThatCannotBeReadIsMovedAsideAndAnEmptyOneBegun() throws IOException {
        byte[] garbage = new byte[20_000];
        new Random(1).nextBytes(garbage);
        Files.write(file(), garbage);

        try (RelayLedger ledger = H2RelayLedger.open(folder)) {
            assertThat(ledger.load()).isEmpty();
            ledger.save(Map.of(relay(1), Map.of("a", "1")));
        }
        try (RelayLedger ledger = H2RelayLedger.open(folder);
                Stream<Path> files = Files.list(folder)) {
            assertThat(ledger.load()).containsOnlyKeys(relay(1));
            assertThat(files.filter(path -> path.toString().contains("unreadable")))
                    .singleElement()
                    .satisfies(aside -> assertThat(Files.readAllBytes(aside)).isEqualTo(garbage));
        }
    }

    @Test
    void damageAnywhereNeitherStopsTheServiceNorInventsRelays() throws IOException {
        try (RelayLedger ledger = H2RelayLedger.open(folder)) {
            for (int i = 0; i < 50; i++) {
                ledger.save(Map.of(relay(i), Map.of("round", "x".repeat(500))));
            }
        }
        byte[] whole = Files.readAllBytes(file());
        Random random = new Random(2);
        for (int i = 0; i < 40; i++) {
            byte[] damaged = i % 2 == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            for (int at = random.nextInt(damaged.length + 1), end = Math.min(damaged.length, at + 3_000);
                    at < end;
                    at++) {
                damaged[at] ^= 0x55;
            }
            Path one = folder.resolve("damaged" + i);
            Files.createDirectories(one);
            Files.write(one.resolve("relays.mv"), damaged);
            try (RelayLedger ledger = H2RelayLedger.open(one)) {
                assertThat(ledger.load().keySet())
                        .allMatch(found -> found.toString().matches("wss://relay\\d+\\.example"));
                ledger.save(Map.of(relay(99), Map.of("a", "1")));
                assertThat(ledger.load()).containsKey(relay(99));
            }
        }
    }

    @Test
    void aSecondProcessIsToldSoInOneLine() {
        try (RelayLedger first = H2RelayLedger.open(folder)) {
            assertThat(first.load()).isEmpty();
            assertThatThrownBy(() -> H2RelayLedger.open(folder))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("in use by another process");
        }
    }

    @Test
    void savingOverAndOverDoesNotGrowTheFileForEver() throws IOException {
        try (RelayLedger ledger = H2RelayLedger.open(folder)) {
            for (int i = 0; i < 1_000; i++) {
                ledger.save(Map.of(relay(i % 50), Map.of("a", "x".repeat(400), "b", String.valueOf(i))));
            }
        }
        assertThat(Files.size(file())).isLessThan(16 << 20);
    }

    @Test
    void whatWasSavedSurvivesEveryKill() throws IOException, InterruptedException {
        long saved = -1;
        Random random = new Random();
        for (int kill = 0; kill < KILLS; kill++) {
            saved = writeAndKill(saved + 1, random.nextInt(100));
            try (RelayLedger ledger = H2RelayLedger.open(folder)) {
                Map<RelayUrl, Map<String, String>> all = ledger.load();
                assertThat(all).hasSize(LedgerWriter.RELAYS);
                String round = all.getOrDefault(relay(0), Map.of()).getOrDefault("round", "-1");
                assertThat(Long.parseLong(round)).isGreaterThanOrEqualTo(saved);
                assertThat(all.values())
                        .as("a round is saved as a whole")
                        .allSatisfy(values -> assertThat(values.get("round")).isEqualTo(round));
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).as("nothing was moved aside").containsExactly(file());
        }
    }

    private long writeAndKill(long from, int rounds) throws IOException, InterruptedException {
        Process writer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LedgerWriter.class.getName(),
                        folder.toString(),
                        Long.toString(from))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long saved = from;
        int left = rounds;
        try (BufferedReader out = writer.inputReader(StandardCharsets.US_ASCII)) {
            String line;
            while ((line = out.readLine()) != null) {
                // The last line may be torn by the kill: a shorter number promises less.
                saved = line.isEmpty() ? saved : Math.max(saved, Long.parseLong(line));
                if (left-- == 0) {
                    writer.toHandle().destroyForcibly();
                }
            }
        }
        writer.waitFor();
        return saved;
    }
}
