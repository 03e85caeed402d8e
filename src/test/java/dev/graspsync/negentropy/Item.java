package dev.graspsync.negentropy;

import java.math.BigInteger;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Random;

/** One item as an object, for tests that think in sets. */
record Item(long createdAt, String hex) implements Comparable<Item> {

    private static final Comparator<Item> ORDER =
            Comparator.comparingLong(Item::createdAt).thenComparing(Item::hex);

    static Item of(long createdAt, long a, long b, long c, long d) {
        return new Item(createdAt, hex(a, b, c, d));
    }

    static Item random(Random random, long firstTime, int span) {
        return of(
                firstTime + random.nextInt(span),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong());
    }

    static String hex(long a, long b, long c, long d) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(a) + hex.toHexDigits(b) + hex.toHexDigits(c) + hex.toHexDigits(d);
    }

    static SealedSet seal(Collection<Item> items) {
        SealedSet.Builder builder = SealedSet.builder(0);
        items.forEach(item -> item.addTo(builder));
        return builder.seal();
    }

    void addTo(SealedSet.Builder builder) {
        builder.add(createdAt, word(0), word(1), word(2), word(3));
    }

    private long word(int index) {
        return HexFormat.fromHexDigitsToLong(hex, 16 * index, 16 * index + 16);
    }

    /** The id as the protocol's fingerprints read it: least significant byte first. */
    BigInteger number() {
        byte[] bytes = HexFormat.of().parseHex(hex);
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[bytes.length - 1 - i] = bytes[i];
        }
        return new BigInteger(1, reversed);
    }

    @Override
    public int compareTo(Item other) {
        return ORDER.compare(this, other);
    }
}
