package dev.graspsync.negentropy;

import java.util.BitSet;

/** Collects what differs between our items and the lists of the other side. */
final class Difference {

    private final SealedSet set;
    private final BitSet told;
    private final Ids.Collector have = new Ids.Collector();
    private final Ids.Collector need = new Ids.Collector();

    /** @param told which of our items were found to be missing on the other side before */
    Difference(SealedSet set, BitSet told) {
        this.set = set;
        this.told = told;
    }

    Ids have() {
        return have.toIds();
    }

    Ids need() {
        return need.toIds();
    }

    /** Compares one list with our items from..to. Theirs are sorted first: hashing could be aimed at. */
    void add(long[] theirs, int from, int to) {
        int[] order =
                MergeSort.sorted(theirs.length / Ids.WORDS, (left, right) -> Ids.compare(theirs, left, theirs, right));
        BitSet shared = new BitSet(order.length);
        for (int ours = from; ours < to; ours++) {
            int place = find(theirs, order, ours);
            if (place >= 0) {
                shared.set(place);
            } else if (!told.get(ours)) {
                told.set(ours);
                have.add(set.ids(), ours);
            }
        }
        for (int place = 0; place < order.length; place++) {
            boolean repeated =
                    place + 1 < order.length && Ids.compare(theirs, order[place], theirs, order[place + 1]) == 0;
            if (!repeated && !shared.get(place)) {
                need.add(theirs, order[place]);
            }
        }
    }

    /** The last place of our item among theirs, or -1. */
    private int find(long[] theirs, int[] order, int ours) {
        int low = 0;
        int high = order.length;
        while (low < high) {
            int middle = low + high >>> 1;
            if (Ids.compare(theirs, order[middle], set.ids(), ours) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low > 0 && Ids.compare(theirs, order[low - 1], set.ids(), ours) == 0 ? low - 1 : -1;
    }
}
