package dev.graspsync.negentropy;

import java.util.BitSet;

/**
 * Collects what differs between our items and the lists of one message. A side whose message is full sends what it left
 * out later together with all that follows, so a list may come twice; what was told before is not told again.
 */
final class Difference {

    private final SealedSet set;
    private final BitSet told;
    private final IdSet needed;
    private final Ids.Collector have = new Ids.Collector();
    private final Ids.Collector need = new Ids.Collector();

    /**
     * @param told which of our items were found to be missing on the other side
     * @param needed the ids we were found to lack
     */
    Difference(SealedSet set, BitSet told, IdSet needed) {
        this.set = set;
        this.told = told;
        this.needed = needed;
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
            boolean found = false;
            while (place < order.length && Ids.compare(theirs, order[place], set.ids(), ours) == 0) {
                shared.set(place++);
                found = true;
            }
            if (!found && !told.get(ours)) {
                told.set(ours);
                have.add(set.ids(), ours);
            }
        }
        for (int place = 0; place < order.length; place++) {
            if (!shared.get(place) && needed.add(theirs, order[place])) {
                need.add(theirs, order[place]);
            }
        }
    }

    /** The first place among theirs that is not before our item. */
    private int find(long[] theirs, int[] order, int ours) {
        int low = 0;
        int high = order.length;
        while (low < high) {
            int middle = low + high >>> 1;
            if (Ids.compare(theirs, order[middle], set.ids(), ours) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
