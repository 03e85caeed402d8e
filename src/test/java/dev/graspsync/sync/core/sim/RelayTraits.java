package dev.graspsync.sync.core.sim;

import dev.graspsync.sync.core.RelayHints;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * What a relay is like for as long as it lives, within what real relays do. None of this excuses a missing event.
 *
 * @param cap stored events handed out, silently
 * @param capPerReq whether that is for the whole REQ and not for each filter
 * @param saysWhetherFinished NIP-67
 * @param subscriptions open at a time
 * @param deafBeyond whether a subscription beyond is served and then never hears anything live, as strfry does
 * @param values of one field of a filter
 * @param bytes of one message
 * @param refusing what happens to longer messages; to other excesses too, except that those never cost the connection
 * @param kindsNeeded whether it refuses filters without kinds
 * @param auth whether it wants NIP-42 first
 * @param reqsPerMinute before it says rate-limited
 * @param tellsLimits whether its NIP-11 document does
 * @param repeats percentage of events sent twice
 * @param strays percentage of REQs answered with an event nobody asked for
 * @param shuffles whether a page's events come in any order
 * @param capBytes of stored events handed out for a filter, silently
 */
record RelayTraits(
        int cap,
        boolean capPerReq,
        boolean saysWhetherFinished,
        int subscriptions,
        boolean deafBeyond,
        int filters,
        int values,
        int bytes,
        Refusing refusing,
        boolean kindsNeeded,
        int kinds,
        boolean auth,
        int reqsPerMinute,
        boolean tellsLimits,
        int repeats,
        int strays,
        boolean shuffles,
        Duration latency,
        int capBytes) {

    /** How it refuses what is beyond its limits. */
    enum Refusing {
        CLOSED,
        NOTICE,
        DROP
    }

    private static final int PLENTY = 1_000_000;

    /** Serves exactly what NIP-01 says, without limits. */
    static RelayTraits faultless() {
        return new RelayTraits(
                PLENTY,
                false,
                false,
                PLENTY,
                false,
                PLENTY,
                PLENTY,
                PLENTY,
                Refusing.CLOSED,
                false,
                PLENTY,
                false,
                PLENTY,
                false,
                0,
                0,
                false,
                Duration.ofMillis(50),
                1_000 * PLENTY);
    }

    static RelayTraits draw(Chance chance) {
        boolean tells = chance.percent(40);
        // A relay that hangs up on long messages without a word is only fair if its NIP-11 document says how long.
        Refusing refusing = chance.one(Refusing.CLOSED, Refusing.NOTICE, tells ? Refusing.DROP : Refusing.CLOSED);
        boolean tight = chance.percent(50);
        return new RelayTraits(
                chance.one(50, 50, 200, 500),
                chance.percent(25),
                chance.percent(30),
                tight ? chance.one(3, 4, 6, 10) : chance.one(20, 200),
                chance.percent(40),
                tight ? chance.one(2, 3, 5, 10) : chance.one(10, 200),
                tight ? chance.one(8, 20, 50) : chance.one(256, 800),
                tight ? chance.one(4_096, 6_000, 16_000) : chance.one(65_536, 131_072),
                refusing,
                chance.percent(15),
                chance.one(3, 10, 20, PLENTY),
                chance.percent(20),
                chance.one(20, 60, PLENTY, PLENTY),
                tells,
                chance.percent(30) ? 10 : 0,
                chance.percent(20) ? 10 : 0,
                chance.percent(30),
                chance.between(Duration.ofMillis(10), Duration.ofSeconds(2)),
                chance.one(50_000, 120_000, 1_000 * PLENTY, 1_000 * PLENTY, 1_000 * PLENTY));
    }

    /** The same relay on a bad day. */
    RelayTraits tightened() {
        return new RelayTraits(
                Math.min(cap, 20),
                capPerReq,
                saysWhetherFinished,
                Math.min(subscriptions, 3),
                deafBeyond,
                Math.min(filters, 2),
                Math.min(values, 5),
                bytes,
                refusing,
                kindsNeeded,
                Math.min(kinds, 3),
                auth,
                Math.min(reqsPerMinute, 30),
                tellsLimits,
                repeats,
                strays,
                shuffles,
                latency,
                capBytes);
    }

    RelayHints hints() {
        return tellsLimits
                ? new RelayHints(
                        OptionalInt.of(cap), OptionalInt.of(subscriptions), OptionalInt.of(bytes), OptionalInt.empty())
                : RelayHints.NONE;
    }
}
