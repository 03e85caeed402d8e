package dev.graspsync.negentropy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReconciliationTest {

    private static final SealedSet EMPTY = Item.seal(List.of());

    @Test
    void twoEmptySetsTakeOneRound() {
        NegentropyClient client = new NegentropyClient(EMPTY, 0, 0);

        assertThat(client.initiate()).inHexadecimal().isEqualTo(HexFormat.of().parseHex("6100000200"));
        assertThat(Exchange.between(EMPTY, 0, EMPTY, 0)).isEqualTo(new Exchange(List.of(), List.of(), 1, 5, 5, 5, 5));
    }

    /** The sum of no ids is zero; its fingerprint can be computed by hand with any sha256. */
    @Test
    void fingerprintsAreTheProtocols() {
        SealedSet one = Item.seal(List.of(Item.of(1, 0x0100000000000000L, 0, 0, 0)));

        assertThat(new Fingerprints(EMPTY).of(0, 0))
                .isEqualTo(new Fingerprint(0x7f9c9e31ac8256caL, 0x2f258583df262dbcL));
        assertThat(new Fingerprints(one).of(0, 1)).isEqualTo(new Fingerprint(0x2e255099d6d6bee3L, 0x07c8e7075acc78f9L));
    }

    @Test
    void identicalSetsTakeOneRoundAndLessThanAKilobyte() {
        SealedSet set = Item.seal(items(3, 100_000));

        Exchange exchange = Exchange.between(set, 0, set, 0);

        assertThat(exchange.rounds()).isEqualTo(1);
        assertThat(exchange.up() + exchange.down()).isLessThan(1_000);
    }

    @Test
    void itemsOfOneSecondAreToldApartByTheirIds() {
        List<Item> items = items(4, 1).stream().toList();
        List<Item> sameSecond = new ArrayList<>(items);
        for (int i = 0; i < 2_000; i++) {
            sameSecond.add(Item.of(42, 1, 2, 3, i));
        }
        List<Item> fewer = new ArrayList<>(sameSecond);
        Item missing = fewer.remove(777);

        Exchange exchange = Exchange.between(Item.seal(fewer), 0, Item.seal(sameSecond), 0);

        assertThat(exchange.need()).containsExactly(missing.hex());
        assertThat(exchange.have()).isEmpty();
    }

    /**
     * Also over what found no place in it: a fingerprint of only what comes after that could equal the other side's, and
     * hide what was left out.
     */
    @Test
    void aFullAnswerEndsWithTheFingerprintOfAllThatFollows() {
        SealedSet set = Item.seal(items(6, 20_000));
        MessageWriter message = new MessageWriter();
        message.octet(Version.BYTE);
        for (int range = 0; range < 100; range++) {
            message.varint(range == 0 ? 1_700_000_000 : 10_001);
            message.varint(0);
            message.varint(Mode.FINGERPRINT.ordinal());
            message.word(1);
            message.word(2);
        }

        RangeReader reply = new RangeReader(Exchange.reply(new NegentropyServer(set, 4_096), message.toBytes()));
        int from = 0;
        int to = 0;
        while (reply.next()) {
            from = to;
            to = set.lowerBound(from, reply.upper());
        }

        assertThat(reply.upper().timestamp()).isEqualTo(Bound.INFINITY);
        assertThat(from).isBetween(1, set.size() / 2);
        assertThat(reply.fingerprint()).isEqualTo(new Fingerprints(set).of(from, set.size()));
    }

    @Test
    void nothingIsLostWhereAnAnswerIsFull() {
        List<Item> all = items(5, 20_000);
        for (int kept : new int[] {0, 1, 31, 33, 600, 5_000, 19_000}) {
            Exchange exchange = Exchange.between(Item.seal(all.subList(0, kept)), 4_096, Item.seal(all), 4_096);

            assertThat(exchange.need()).hasSize(all.size() - kept).doesNotHaveDuplicates();
            assertThat(exchange.have()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, 4_095})
    void frameLimitsTooSmallForProgressAreRefused(int limit) {
        assertThatThrownBy(() -> new NegentropyClient(EMPTY, limit, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NegentropyServer(EMPTY, limit)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Item> items(long seed, int size) {
        Random random = new Random(seed);
        List<Item> items = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            items.add(Item.random(random, 1_700_000_000, 1_000_000));
        }
        return items;
    }
}
