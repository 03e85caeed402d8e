package dev.graspsync.negentropy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages nobody should send: each costs little and ends in a value. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileMessageTest {

    private static final SealedSet SET = set(1, 5_000);

    @ParameterizedTest
    @CsvSource({
        "61ff, ends inside a number, 2",
        "6100000287ffffff7f, ends inside an id list, 9",
        "61000003, an unknown mode, 4",
        "6100000203, ends inside an id list, 5",
        "610000010000, ends inside a fingerprint, 4",
        "61002100, an id prefix of more than 32 bytes, 3",
        "610002ff, ends inside an id prefix, 3",
        "61850100ff, ends inside a number, 5",
        "61ffffffffffffffffff7f, a number of more than 63 bits, 11",
        "61800000, a number with leading zeros, 2",
        "61ffffffffffffffff7f0000ffffffffffffffff7f0000, a time beyond all times, 21",
        "6105000000000005, a range after the last, 8",
        "610502ffff0001020000, a bound below the one before, 10",
        "'', an empty message, 0",
        "50, no version of the protocol, 0",
        "ff, no version of the protocol, 0",
    })
    void bothSidesSayWhatIsWrong(String hex, String reason, int position) {
        byte[] message = HexFormat.of().parseHex(hex);
        Failure failure = new Failure.Malformed(reason, position);

        assertThat(server().reconcile(message)).isEqualTo(new ServerStep.Failed(failure));
        assertThat(client().reconcile(message)).isEqualTo(new ClientStep.Failed(failure));
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "62", "6f", "62ffffff"})
    void otherVersionsAreAnsweredWithOurs(String hex) {
        byte[] message = HexFormat.of().parseHex(hex);

        assertThat(Exchange.reply(server(), message)).containsExactly(0x61);
        assertThat(client().reconcile(message))
                .isEqualTo(new ClientStep.Failed(new Failure.UnsupportedVersion(message[0])));
    }

    @Test
    void aFailedSessionStaysFailed() {
        NegentropyClient client = client();
        ClientStep first = client.reconcile(new byte[] {0x62});

        assertThat(client.reconcile(new byte[] {0x61})).isEqualTo(first);
    }

    @Test
    void aMessageCutAtAnyByteIsRefusedOrEndsAtARange() {
        for (byte[] message : messages()) {
            List<Integer> ends = rangeEnds(message);
            for (int length = 1; length < message.length; length++) {
                byte[] cut = Arrays.copyOf(message, length);
                boolean whole = ends.contains(length);
                assertThat(server().reconcile(cut) instanceof ServerStep.Reply).isEqualTo(whole);
                assertThat(client().reconcile(cut) instanceof ClientStep.Failed).isNotEqualTo(whole);
            }
        }
    }

    @Test
    void garbageAfterAMessageIsRefused() {
        for (byte[] message : messages()) {
            byte[] longer = Arrays.copyOf(message, message.length + 1);
            longer[message.length] = 0x05;
            assertThat(server().reconcile(longer)).isInstanceOf(ServerStep.Failed.class);
        }
    }

    @Test
    void anIdRepeatedInAListIsNeededOnce() {
        byte[] message = new byte[5 + 3 * Ids.BYTES];
        message[0] = 0x61;
        message[3] = 2;
        message[4] = 3;
        message[5 + 2 * Ids.BYTES] = 1;
        NegentropyClient client = new NegentropyClient(Item.seal(List.of()), 0, 10);

        assertThat(client.reconcile(message))
                .isInstanceOfSatisfying(
                        ClientStep.Done.class,
                        done -> assertThat(done.need().size()).isEqualTo(2));
    }

    @Test
    void moreIdsThanWantedEndTheSession() {
        NegentropyServer server = server();
        NegentropyClient client = new NegentropyClient(Item.seal(List.of()), 0, SET.size() - 1);

        ClientStep step = client.reconcile(Exchange.reply(server, client.initiate()));

        assertThat(step).isEqualTo(new ClientStep.Failed(new Failure.TooManyNeeded(SET.size() - 1)));
    }

    @Test
    void aServerThatOnlyEverDiffersIsGivenUp() {
        NegentropyClient client = client();
        byte[] different = new byte[4 + Fingerprint.BYTES];
        different[0] = 0x61;
        different[3] = 1;
        int rounds = 0;
        ClientStep step;
        do {
            step = client.reconcile(different);
            rounds++;
        } while (step instanceof ClientStep.Continue && rounds < 10_000);

        assertThat(step).isEqualTo(new ClientStep.Failed(new Failure.Stalled(NegentropyClient.QUIET_ROUNDS)));
    }

    @Test
    void aServerThatRepeatsTheSameListTellsNothingNew() {
        NegentropyClient client = client();
        // No ids up to time 1000, and something else from there on.
        byte[] same = HexFormat.of().parseHex("618769" + "00" + "0200" + "0000" + "01" + "00".repeat(16));
        int have = 0;
        int rounds = 0;
        ClientStep step;
        do {
            step = client.reconcile(same);
            have += step instanceof ClientStep.Continue(Ids only, Ids _, byte[] _) ? only.size() : 0;
            rounds++;
        } while (step instanceof ClientStep.Continue && rounds < 10_000);

        assertThat(step).isEqualTo(new ClientStep.Failed(new Failure.Stalled(NegentropyClient.QUIET_ROUNDS)));
        assertThat(have).isEqualTo(SET.lowerBound(0, new Bound(1000, new long[Ids.WORDS], 0)));
        assertThat(have).isPositive();
    }

    @Test
    void aServerThatInventsIdsForEverIsGivenUp() {
        Random random = new Random(5);
        NegentropyClient client = new NegentropyClient(SET, 0, 1_000);
        int rounds = 0;
        ClientStep step;
        do {
            byte[] id = new byte[Ids.BYTES];
            random.nextBytes(id);
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            message.writeBytes(HexFormat.of().parseHex("6102000201"));
            message.writeBytes(id);
            message.writeBytes(HexFormat.of().parseHex("000001" + "00".repeat(16)));
            step = client.reconcile(message.toByteArray());
            rounds++;
        } while (step instanceof ClientStep.Continue && rounds < 10_000);

        assertThat(step).isEqualTo(new ClientStep.Failed(new Failure.TooManyNeeded(1_000)));
    }

    @Test
    void manySmallRangesCannotMakeTheAnswerLargerThanItsLimit() {
        for (String range :
                List.of("010002" + "00", "010001" + "00".repeat(16), "020002" + "00", "020001" + "11".repeat(16))) {
            byte[] message = HexFormat.of().parseHex("61" + range.repeat(20_000));
            NegentropyServer limited = new NegentropyServer(SET, RangeWriter.SMALLEST_LIMIT);

            assertThat(Exchange.reply(limited, message).length).isLessThanOrEqualTo(RangeWriter.SMALLEST_LIMIT);
            assertThat(Exchange.reply(server(), message).length).isLessThan(message.length + 2 * 40 * SET.size());
        }
    }

    @Test
    void noBytesMakeASideThrow() {
        Random random = new Random(340);
        List<byte[]> seeds = messages();
        for (int round = 0; round < 5_000; round++) {
            byte[] message = seeds.get(random.nextInt(seeds.size())).clone();
            for (int change = random.nextInt(1, 5); change > 0; change--) {
                message[random.nextInt(Math.min(message.length, 200))] = (byte) random.nextInt();
            }
            message[0] = 0x61;
            assertThat(server().reconcile(message)).isNotNull();
            assertThat(client().reconcile(message)).isNotNull();
        }
    }

    /** Messages of a real session, of both sides and of all modes. */
    private static List<byte[]> messages() {
        List<byte[]> messages = new ArrayList<>();
        NegentropyServer server = new NegentropyServer(set(2, 300), RangeWriter.SMALLEST_LIMIT);
        Exchange.run(new NegentropyClient(set(1, 300), 0, 10_000), message -> {
            byte[] reply = Exchange.reply(server, message);
            messages.add(message);
            messages.add(reply);
            return reply;
        });
        return messages;
    }

    private static List<Integer> rangeEnds(byte[] message) {
        List<Integer> ends = new ArrayList<>(List.of(1));
        RangeReader reader = new RangeReader(message);
        while (reader.next()) {
            ends.add(reader.position());
        }
        return ends;
    }

    private static NegentropyServer server() {
        return new NegentropyServer(SET, 0);
    }

    private static NegentropyClient client() {
        return new NegentropyClient(SET, 0, 1_000_000);
    }

    private static SealedSet set(long seed, int size) {
        Random random = new Random(seed);
        SealedSet.Builder builder = SealedSet.builder(size);
        for (int i = 0; i < size; i++) {
            Item.random(random, 0, 2_000).addTo(builder);
        }
        return builder.seal();
    }
}
