package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** How a relay answers NEG-OPEN: the ids it claims to have, or why it does not compare. */
sealed interface SimComparison {

    /** @param cutOff whether the session ends in its middle, without a word */
    record Claims(List<EventId> ids, boolean cutOff) implements SimComparison {}

    record NegErr(String reason, OptionalLong cap) implements SimComparison {}

    record Notice(String message) implements SimComparison {}

    /** What it says is no message of the protocol. */
    record Garbage() implements SimComparison {}

    record Nothing() implements SimComparison {}

    record HangsUp() implements SimComparison {}

    /** What it is, for counting. */
    default String sort() {
        return switch (this) {
            case Claims(var ids, boolean cutOff) -> cutOff ? "cut off" : "compared";
            case NegErr(String reason, var cap) ->
                reason.startsWith("unsupported") ? "unsupported" : isCap() ? "capped" : "refused";
            case Notice notice -> "notice";
            case Garbage garbage -> "corrupt";
            case Nothing nothing -> "nothing";
            case HangsUp hangsUp -> "hung up";
        };
    }

    private boolean isCap() {
        return this instanceof NegErr(String reason, var cap) && (cap.isPresent() || reason.equals("RESULTS_TOO_BIG"));
    }

    static SimComparison of(SimRelay relay, SimSocket socket, Filter filter) {
        if (relay.has(Fault.SWALLOWS)) {
            return new Nothing();
        }
        return switch (relay.comparing.knows()) {
            case SAYS_NOTICE -> new Notice("ERROR: bad msg: unknown cmd");
            case SAYS_ERROR -> new NegErr("unsupported: negentropy is disabled", OptionalLong.empty());
            case SAYS_NOTHING -> new Nothing();
            case HANGS_UP -> new HangsUp();
            case YES -> compare(relay, socket, filter);
        };
    }

    private static SimComparison compare(SimRelay relay, SimSocket socket, Filter filter) {
        Refusals.Refused refused = Refusals.of(relay, socket, List.of(filter));
        if (refused != null) {
            return switch (refused.how()) {
                case CLOSED -> new NegErr(refused.message(), OptionalLong.empty());
                case NOTICE -> new Notice(refused.message());
                case DROP -> new HangsUp();
            };
        }
        if (!relay.comparing.wide() && filter.kinds().isEmpty() && filter.tags().isEmpty()) {
            return new NegErr("blocked: filter is too broad, kinds must be specified", OptionalLong.empty());
        }
        List<SimEvent> found = relay.events
                .find(List.of(filter), Integer.MAX_VALUE, false, Integer.MAX_VALUE)
                .events();
        if (found.size() > relay.comparing.cap()) {
            return relay.chance.percent(50)
                    ? new NegErr("blocked: too many query results", OptionalLong.of(relay.comparing.cap()))
                    : new NegErr("RESULTS_TOO_BIG", OptionalLong.empty());
        }
        if (relay.has(Fault.NEGENTROPY_GARBAGE)) {
            return new Garbage();
        }
        return new Claims(claimed(relay, found), relay.has(Fault.NEGENTROPY_CUT_OFF) && relay.chance.percent(70));
    }

    private static List<EventId> claimed(SimRelay relay, List<SimEvent> found) {
        boolean lies = relay.has(Fault.NEGENTROPY_LIES);
        List<EventId> ids = new ArrayList<>();
        for (SimEvent event : found.reversed()) {
            if (!lies || relay.chance.percent(70)) {
                ids.add(event.id());
            }
        }
        for (int i = 0; lies && i < 5; i++) {
            ids.add(relay.chance.id());
        }
        return ids;
    }

    /** What the other end makes of it. */
    interface Listener {
        void progress(String session);

        void claims(String session, List<EventId> ids);

        void negErr(String session, String reason, OptionalLong cap);

        void garbage(String session);
    }
}
