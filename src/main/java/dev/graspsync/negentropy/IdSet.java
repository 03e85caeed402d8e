package dev.graspsync.negentropy;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ids without repetition: all in one array, and a table of places in it. The other side chooses the ids, so where they
 * fall in the table depends on numbers it cannot know; what the set holds does not.
 */
final class IdSet {

    private final long[] multipliers = ThreadLocalRandom.current()
            .longs(Ids.WORDS)
            .map(number -> number | 1)
            .toArray();

    private long[] words = new long[16 * Ids.WORDS];
    private int size;
    /** Open addressing, at most half full: 1 + the place of an id, or 0. */
    private int[] table = new int[32];

    int size() {
        return size;
    }

    /** Adds the id at an index of an array; false if it was there. */
    boolean add(long[] from, int index) {
        int slot = slot(from, index);
        if (table[slot] != 0) {
            return false;
        }
        if ((size + 1) * Ids.WORDS > words.length) {
            words = Arrays.copyOf(words, words.length * 2);
        }
        System.arraycopy(from, index * Ids.WORDS, words, size * Ids.WORDS, Ids.WORDS);
        table[slot] = ++size;
        if (size * 2 > table.length) {
            grow();
        }
        return true;
    }

    private void grow() {
        table = new int[table.length * 2];
        for (int place = 0; place < size; place++) {
            table[slot(words, place)] = place + 1;
        }
    }

    /** Where the id is, or where it would be. */
    private int slot(long[] from, int index) {
        long hash = 0;
        for (int word = 0; word < Ids.WORDS; word++) {
            hash += from[index * Ids.WORDS + word] * multipliers[word];
        }
        int slot = (int) (hash >>> Long.numberOfLeadingZeros(table.length - 1L));
        while (table[slot] != 0 && Ids.compare(words, table[slot] - 1, from, index) != 0) {
            slot = slot + 1 & table.length - 1;
        }
        return slot;
    }
}
