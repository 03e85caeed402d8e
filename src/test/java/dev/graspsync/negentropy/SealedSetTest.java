package dev.graspsync.negentropy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SealedSetTest {

    private final Random random = new Random(77);

    @Test
    void itemsAreSortedByTimeThenIdAndKeptOnce() {
        List<Item> items = items(3_000, 100);
        items.addAll(items.subList(500, 1_500));
        Collections.shuffle(items, random);

        assertThat(contents(Item.seal(items))).containsExactlyElementsOf(new TreeSet<>(items));
    }

    @Test
    void itemsInAnyOrderGiveTheSameSet() {
        List<Item> sorted = new ArrayList<>(new TreeSet<>(items(1_000, 50)));
        List<Item> newestFirst = new ArrayList<>(sorted);
        newestFirst.sort((left, right) -> left.createdAt() != right.createdAt()
                ? Long.compare(right.createdAt(), left.createdAt())
                : left.hex().compareTo(right.hex()));

        assertThat(contents(Item.seal(sorted))).isEqualTo(sorted);
        assertThat(contents(Item.seal(sorted.reversed()))).isEqualTo(sorted);
        assertThat(contents(Item.seal(newestFirst))).isEqualTo(sorted);
    }

    @Test
    void idsCompareAsUnsignedBytes() {
        Item low = Item.of(5, 1, 0, 0, 0);
        Item high = Item.of(5, -1, 0, 0, 0);

        assertThat(contents(Item.seal(List.of(high, low)))).containsExactly(low, high);
    }

    @Test
    void theSumOfAnyRangeIsTheSumOfItsIds() {
        List<Item> items = new ArrayList<>(items(100, 10));
        // Carries run through all words with these.
        items.add(Item.of(3, -1, -1, -1, -1));
        items.add(Item.of(4, -1, -1, -1, -1));
        items.add(Item.of(5, 1L << 56, 0, 0, 0));
        SealedSet set = Item.seal(items);
        List<Item> sorted = contents(set);
        BigInteger modulus = BigInteger.TWO.pow(256);
        for (int from = 0; from <= set.size(); from++) {
            BigInteger expected = BigInteger.ZERO;
            for (int to = from; to <= set.size(); to++) {
                assertThat(number(set.sum(from, to))).isEqualTo(expected);
                if (to < set.size()) {
                    expected = expected.add(sorted.get(to).number()).mod(modulus);
                }
            }
        }
    }

    @Test
    void theShortestBoundSeparatesEveryTwoNeighbours() {
        List<Item> items = items(500, 20);
        IntStream.range(0, 300).forEach(i -> items.add(Item.of(1, 9, 9, 9, i * 37L)));
        SealedSet set = Item.seal(items);
        for (int i = 1; i < set.size(); i++) {
            Bound bound = Bound.before(set, i);
            assertThat(set.lowerBound(0, bound)).isEqualTo(i);
            assertThat(bound.length() == 0).isEqualTo(set.createdAt(i) != set.createdAt(i - 1));
        }
        assertThat(set.lowerBound(0, Bound.START)).isZero();
        assertThat(set.lowerBound(0, Bound.END)).isEqualTo(set.size());
    }

    @Test
    void timesTheProtocolCannotWriteAreRefused() {
        SealedSet.Builder builder = SealedSet.builder(1);

        assertThatThrownBy(() -> builder.add(-1, 0, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.add(Long.MAX_VALUE, 0, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private List<Item> items(int count, int span) {
        List<Item> items = new ArrayList<>();
        IntStream.range(0, count).forEach(i -> items.add(Item.random(random, 0, span)));
        return items;
    }

    private static List<Item> contents(SealedSet set) {
        long[] ids = set.ids();
        return IntStream.range(0, set.size())
                .mapToObj(i -> Item.of(set.createdAt(i), ids[4 * i], ids[4 * i + 1], ids[4 * i + 2], ids[4 * i + 3]))
                .toList();
    }

    private static BigInteger number(long[] words) {
        BigInteger number = BigInteger.ZERO;
        for (int word = words.length - 1; word >= 0; word--) {
            number = number.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(words[word])));
        }
        return number;
    }
}
