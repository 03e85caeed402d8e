package dev.graspsync.store.h2;

/**
 * One entry of the sorted index.
 *
 * @param term what is looked up: a hash of a tag, an author, a kind, …
 * @param order within a term: newest first, see {@link Terms#newestFirst}
 * @param prefix the first eight bytes of the event's id, so that ties come lowest id first
 * @param seq where the event is
 */
record Entry(long term, long order, long prefix, long seq) implements Comparable<Entry> {

    @Override
    public int compareTo(Entry other) {
        int c = Long.compareUnsigned(term, other.term);
        c = c != 0 ? c : Long.compareUnsigned(order, other.order);
        c = c != 0 ? c : Long.compareUnsigned(prefix, other.prefix);
        return c != 0 ? c : Long.compareUnsigned(seq, other.seq);
    }
}
