package dev.graspsync.sync.core;

/**
 * Everything in sums, as it was when the engine last looked.
 *
 * @param wanted items of all relays together
 * @param confirmed of them
 * @param underWay of those that are not, the ones of relays that are being read: what is left to be done now
 * @param roots root events, counted for each repository they tag
 * @param leftOut relays that are named and got no place
 */
public record EngineView(
        Phase phase,
        long wanted,
        long confirmed,
        long underWay,
        int repositories,
        int roots,
        int relays,
        int connected,
        int degraded,
        int dead,
        int leftOut) {

    public static final EngineView NONE = new EngineView(Phase.STARTING, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    public enum Phase {
        /** The own relay has not been read to its end yet. */
        STARTING,
        FIRST_SYNC,
        COMPLETE,
        /** Some relay is not reached, or has more than it gives. */
        WAITING
    }
}
