package dev.graspsync.store.h2;

import java.util.List;

/** Entries one after the other, in order, read in place: there are too many of them for an object each. */
interface Entries {

    /** Steps to the next entry; false at the end. */
    boolean next();

    long term();

    long order();

    long prefix();

    long seq();

    /** The entries of a sorted list. */
    static Entries of(List<Entry> sorted) {
        return new Entries() {
            private int at = -1;

            @Override
            public boolean next() {
                return ++at < sorted.size();
            }

            @Override
            public long term() {
                return sorted.get(at).term();
            }

            @Override
            public long order() {
                return sorted.get(at).order();
            }

            @Override
            public long prefix() {
                return sorted.get(at).prefix();
            }

            @Override
            public long seq() {
                return sorted.get(at).seq();
            }
        };
    }
}
