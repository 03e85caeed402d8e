package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import java.util.Set;

/** What the acceptance policy says about one event. Messages start with a machine-readable prefix (NIP-01). */
public sealed interface Verdict {

    /** Why an event is kept; stored with it, because what its replies are worth depends on it. */
    enum Reason {
        ANNOUNCEMENT,
        STATE,
        ROOT,
        /** It names an accepted repository, root event or something about one. */
        ABOUT,
        /** An accepted announcement or root event names it; replies to it are not about a repository. */
        MENTIONED,
        DELETION,
        VANISH
    }

    record Accept(Reason reason) implements Verdict {}

    /** Never acceptable, whatever else arrives. */
    record Refuse(String message) implements Verdict {}

    /** Refused now, perhaps acceptable when one of the things it lacks arrives; see {@link WaitingKeys}. */
    record Wait(String message, Set<String> lacks) implements Verdict {
        public Wait {
            lacks = Set.copyOf(lacks);
        }
    }

    /**
     * The owner of an accepted repository no longer lists this service. The event is refused, and every version of the
     * announcement it supersedes (NIP-01: older, or as old with a higher id) must go and must not come back through
     * sync. A newer version stays: relays replay old versions too.
     */
    record Delisted(String message, Address address) implements Verdict {}
}
