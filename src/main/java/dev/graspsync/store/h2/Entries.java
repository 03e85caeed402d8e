package dev.graspsync.store.h2;

/** Entries one after the other, in order, read in place: there are too many of them for an object each. */
interface Entries {

    /** Steps to the next entry; false at the end. */
    boolean next();

    long term();

    long order();

    long prefix();

    long seq();
}
