package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.Filter;
import dev.graspsync.sync.core.sim.RelayTraits.Refusing;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When and how a relay refuses a REQ. */
final class Refusals {

    record Refused(Refusing how, String message) {}

    private static final int HEX = 67;
    /** However they are worded, asking for less would change nothing. */
    static final List<String> CLOSED_DOORS = List.of(
            "blocked: not for you",
            "restricted: this relay is limited to members",
            "restricted: you need to be of our kind, which takes maximum patience",
            "blocked: your address exceeded the limit of what we put up with",
            "unsupported: filters without limit");

    private Refusals() {}

    static @Nullable Refused of(SimRelay relay, SimSocket socket, List<Filter> filters) {
        RelayTraits traits = relay.traitsNow();
        int reqs = socket.reqsInAMinute();
        if (bytes(filters) > traits.bytes()) {
            return new Refused(traits.refusing(), "error: message too large");
        }
        if (relay.has(Fault.RATE_LIMITED) && reqs > 2 || reqs > traits.reqsPerMinute()) {
            return new Refused(Refusing.CLOSED, "rate-limited: slow down there chief");
        }
        if (relay.has(Fault.RATE_NOTICE) && reqs > 2) {
            return new Refused(Refusing.NOTICE, "rate-limited: too many requests");
        }
        if (relay.has(Fault.ERRORS) && relay.chance.percent(50)) {
            return new Refused(Refusing.CLOSED, "error: could not connect to the database");
        }
        if (relay.has(Fault.BLOCKED)) {
            return new Refused(Refusing.CLOSED, relay.chance.one(CLOSED_DOORS));
        }
        if ((traits.auth() || relay.has(Fault.AUTH_WALL)) && !socket.isAuthenticated()) {
            return new Refused(Refusing.CLOSED, "auth-required: we only serve those we know");
        }
        return ofLimits(traits, socket, filters);
    }

    private static @Nullable Refused ofLimits(RelayTraits traits, SimSocket socket, List<Filter> filters) {
        Refusing how = traits.refusing() == Refusing.DROP ? Refusing.CLOSED : traits.refusing();
        if (filters.size() > traits.filters()) {
            return new Refused(how, "error: too many filters");
        }
        if (filters.stream().flatMap(Refusals::sizes).anyMatch(size -> size > traits.values())) {
            return new Refused(how, "error: filter has too many tag values");
        }
        if (traits.kindsNeeded()
                && filters.stream()
                        .anyMatch(filter ->
                                filter.kinds().isEmpty() && filter.ids().isEmpty())) {
            return new Refused(how, "blocked: filters must specify kinds");
        }
        if (filters.stream().anyMatch(filter -> filter.kinds().orElse(Set.of()).size() > traits.kinds())) {
            return new Refused(how, "error: too many kinds in filter");
        }
        boolean full = socket.openCount() >= traits.subscriptions();
        return full && !traits.deafBeyond() ? new Refused(how, "error: too many subscriptions") : null;
    }

    private static Stream<Integer> sizes(Filter filter) {
        return Stream.concat(
                Stream.of(filter.ids().orElse(Set.of()).size()),
                filter.tags().values().stream().map(Set::size));
    }

    /** About what the REQ takes on the wire. */
    static int bytes(List<Filter> filters) {
        int bytes = 50;
        for (Filter filter : filters) {
            bytes += 60 + HEX * filter.ids().orElse(Set.of()).size();
            bytes += HEX * filter.authors().orElse(Set.of()).size();
            bytes += 6 * filter.kinds().orElse(Set.of()).size();
            for (Set<String> values : filter.tags().values()) {
                bytes += 8
                        + values.stream().mapToInt(value -> value.length() + 3).sum();
            }
        }
        return bytes;
    }
}
