package dev.graspsync.sync;

/**
 * How publishing to the own relay goes, in sidecar mode.
 *
 * @param lag events of the log that are still to be looked at or answered
 * @param setAside of those looked at, the ones that are tried once an hour
 * @param refused events the relay did not take for good, since the start
 */
public record Publishing(long lag, int setAside, int refused) {

    static final Publishing NOTHING = new Publishing(0, 0, 0);
}
