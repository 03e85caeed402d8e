package dev.graspsync.sync.core;

import java.time.Instant;

/** What the engine noticed about a relay. */
public sealed interface Finding {

    /** The next attempt to connect, after so many failures in a row. */
    record BackingOff(int failures, Instant nextAttempt, String why) implements Finding {}

    /** It failed for so long that it is asked once a day from now on. */
    record Dead(Instant failingSince, Instant nextAttempt) implements Finding {}

    /** It stayed connected long enough to count as healthy again. */
    record Recovered() implements Finding {}

    /** Everything wanted of it is confirmed. */
    record Complete(int repos, int items) implements Finding {}

    /** A batch came back unconfirmed and is asked for again at the given time. */
    record Returned(Outcome outcome, int items, Instant retryAt) implements Finding {}

    /** A refusal taught a smaller budget. */
    record Learned(String budget, String refusal) implements Finding {}

    /** It will not have a subscription open: what is new comes with the history only, until it is asked again. */
    record LiveRefused(Instant until, String refusal) implements Finding {}

    /** It rate-limits: it is left alone until then. */
    record CoolingDown(Instant until, String refusal) implements Finding {}

    /** More events in one second than it hands out: what is beyond cannot be asked for. */
    record DenseSecond(long second) implements Finding {}

    /** The live side now asks by kind only, because precise filters would be too many. */
    record CoarseLive(int filtersNeeded) implements Finding {}

    /** A fresh sync of this relay began. */
    record FreshSyncBegan(Instant nextDue) implements Finding {}

    /** More relays are named than are connected to: this one is left out. */
    record LeftOut(String why) implements Finding {}

    /** A comparison (NIP-77) told both differences. */
    record Compared(boolean whole, int need, int have) implements Finding {}

    /** A comparison was given up, and the relay is asked in another way. */
    record FellBack(Fallback reason, String why) implements Finding {}

    /** A comparison had too many events for one side, and goes on in two halves of its time. */
    record WindowSplit(String why) implements Finding {}
}
