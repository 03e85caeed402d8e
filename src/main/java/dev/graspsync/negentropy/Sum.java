package dev.graspsync.negentropy;

/** Sums of ids modulo 2^256. The protocol reads an id as a little-endian number, so its first word counts least. */
final class Sum {

    private Sum() {}

    static void add(long[] sum, long[] ids, int index) {
        long carry = 0;
        for (int word = 0; word < Ids.WORDS; word++) {
            long addend = Long.reverseBytes(ids[index * Ids.WORDS + word]);
            long partial = sum[word] + addend;
            long total = partial + carry;
            boolean over = Long.compareUnsigned(partial, addend) < 0 || Long.compareUnsigned(total, partial) < 0;
            carry = over ? 1 : 0;
            sum[word] = total;
        }
    }

    static void subtract(long[] sum, long[] less) {
        long borrow = 0;
        for (int word = 0; word < Ids.WORDS; word++) {
            long partial = sum[word] - less[word];
            boolean under =
                    Long.compareUnsigned(sum[word], less[word]) < 0 || Long.compareUnsigned(partial, borrow) < 0;
            sum[word] = partial - borrow;
            borrow = under ? 1 : 0;
        }
    }
}
