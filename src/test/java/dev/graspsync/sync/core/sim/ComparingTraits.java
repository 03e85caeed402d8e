package dev.graspsync.sync.core.sim;

/**
 * What a relay makes of NIP-77, within what real relays do. None of this excuses a missing event.
 *
 * @param cap the most events it compares
 * @param wide whether it compares without kinds or tags
 */
record ComparingTraits(Knows knows, int cap, boolean wide) {

    /** Whether it compares, and how it says that it does not. */
    enum Knows {
        YES,
        SAYS_NOTICE,
        SAYS_ERROR,
        SAYS_NOTHING,
        HANGS_UP
    }

    static final ComparingTraits NONE = new ComparingTraits(Knows.SAYS_NOTICE, 0, false);

    static final ComparingTraits FAULTLESS = new ComparingTraits(Knows.YES, 1_000_000, true);

    static ComparingTraits draw(Chance chance) {
        Knows knows = chance.percent(60) ? Knows.YES : chance.one(Knows.values());
        return new ComparingTraits(knows, chance.one(5, 50, 1_000_000, 1_000_000), chance.percent(70));
    }
}
