package dev.graspsync.negentropy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever the two sets and the limits of both sides, the client ends with exactly the two differences. */
class ReconciliationPropertiesTest {

    @Property(tries = 400)
    void differencesAreExact(
            @ForAll long seed,
            @ForAll @IntRange(max = 1500) int shared,
            @ForAll @IntRange(max = 300) int onlyClient,
            @ForAll @IntRange(max = 300) int onlyServer,
            @ForAll @IntRange(min = 1, max = 5000) int span,
            @ForAll @IntRange(max = 3) int clientLimit,
            @ForAll @IntRange(max = 3) int serverLimit) {
        check(new Random(seed), shared, onlyClient, onlyServer, span, clientLimit, serverLimit);
    }

    /** Sizes come from the seed alone here, since generated numbers are mostly small. */
    @Property(tries = 60)
    void differencesOfLargerSetsAreExact(@ForAll long seed) {
        Random random = new Random(seed);
        check(
                random,
                random.nextInt(20_000),
                random.nextInt(random.nextBoolean() ? 50 : 5_000),
                random.nextInt(random.nextBoolean() ? 50 : 5_000),
                random.nextInt(1, random.nextBoolean() ? 100 : 1_000_000),
                random.nextInt(4),
                random.nextInt(4));
    }

    private static void check(
            Random random, int shared, int onlyClient, int onlyServer, int span, int clientLimit, int serverLimit) {
        List<Item> common = items(random, shared, span);
        List<Item> clientAlone = items(random, onlyClient, span);
        List<Item> serverAlone = items(random, onlyServer, span);
        int upLimit = limit(random, clientLimit);
        int downLimit = limit(random, serverLimit);

        Exchange exchange =
                Exchange.between(sealed(common, clientAlone), upLimit, sealed(common, serverAlone), downLimit);

        assertThat(exchange.have()).containsExactlyInAnyOrderElementsOf(hex(clientAlone));
        assertThat(exchange.need()).containsExactlyInAnyOrderElementsOf(hex(serverAlone));
        assertThat(exchange.largestUp()).isLessThanOrEqualTo(upLimit == 0 ? Integer.MAX_VALUE : upLimit);
        assertThat(exchange.largestDown()).isLessThanOrEqualTo(downLimit == 0 ? Integer.MAX_VALUE : downLimit);
    }

    /** Some ids differ in a few bytes only, so that bounds need long prefixes. */
    private static List<Item> items(Random random, int count, int span) {
        List<Item> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(
                    random.nextInt(3) > 0
                            ? Item.random(random, 1_700_000_000, span)
                            : Item.of(1_700_000_000, 7, 7, 7, random.nextLong()));
        }
        return items;
    }

    private static int limit(Random random, int kind) {
        return kind == 0 ? 0 : kind == 1 ? RangeWriter.SMALLEST_LIMIT : random.nextInt(4096, 70_000);
    }

    private static SealedSet sealed(List<Item> common, List<Item> alone) {
        List<Item> all = new ArrayList<>(common);
        all.addAll(alone);
        return Item.seal(all);
    }

    private static List<String> hex(List<Item> items) {
        return items.stream().map(Item::hex).toList();
    }
}
