package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage.Hint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A relay's end of one connection. Messages keep their order in each direction and take their time. */
final class SimSocket {

    /** The other end. */
    interface Listener extends SimComparison.Listener {
        void opened(SimSocket socket);

        void failed(String why);

        void events(String subscription, List<SimEvent> events);

        void eose(String subscription, Hint hint);

        void closed(String subscription, String message);

        void notice(String message);

        void challenge();

        void authenticated(boolean accepted, String message);

        void lost(Instant lastHeard, String why);
    }

    private static final Duration DEAD_AFTER = Duration.ofSeconds(90);
    private static final int CHUNKS = 3;
    private static final Duration DRIP = Duration.ofSeconds(45); // less than any silence that counts

    private record Open(List<Filter> filters, boolean deaf) {}

    private final SimRelay relay;
    private final Listener listener;
    private final Map<String, Open> open = new LinkedHashMap<>();
    private final Deque<Instant> reqs = new ArrayDeque<>();
    private boolean connected = true;
    private boolean silent;
    private boolean authenticated;
    private final boolean challengesLate; // only after it refused

    private Instant upFree;
    private Instant downFree;

    SimSocket(SimRelay relay, Listener listener) {
        this.relay = relay;
        this.listener = listener;
        challengesLate = relay.chance.percent(50);
        upFree = relay.clock.now();
        downFree = relay.clock.now();
    }

    void greet() {
        if (!challengesLate) {
            down(Listener::challenge);
        }
    }

    // What the client sends ----------------------------------------------------------------------------------------

    void req(String subscription, List<Filter> filters) {
        up(() -> serve(subscription, filters));
    }

    void close(String subscription) {
        up(() -> open.remove(subscription));
    }

    void auth() {
        up(() -> {
            authenticated = !relay.hostile;
            boolean accepted = authenticated;
            down(to -> to.authenticated(accepted, accepted ? "" : "restricted: you are not on the list"));
        });
    }

    /** The client's ids stay with it: what the relay has is all it needs to hear. */
    void compare(String session, Filter filter) {
        up(() -> {
            SimComparison answer = SimComparison.of(relay, this, filter);
            relay.count(answer);
            switch (answer) {
                case SimComparison.Claims(var ids, boolean cutOff) -> {
                    down(to -> to.progress(session));
                    if (!cutOff) {
                        down(to -> to.claims(session, ids));
                    } else if (relay.chance.percent(50)) {
                        down(to -> to.negErr(session, "closed: session timed out", OptionalLong.empty()));
                    } else if (relay.chance.percent(50)) {
                        relay.clock.at(downFree, () -> drop("dropped while comparing"));
                    }
                }
                case SimComparison.NegErr(String reason, var cap) -> down(to -> to.negErr(session, reason, cap));
                case SimComparison.Notice(String message) -> down(to -> to.notice(message));
                case SimComparison.Garbage() -> down(to -> to.garbage(session));
                case SimComparison.Nothing() -> {}
                case SimComparison.HangsUp() -> drop("unknown message");
            }
        });
    }

    /** The client hangs up. */
    void hangUp() {
        connected = false;
        relay.forget(this);
    }

    private void up(Runnable message) {
        upFree = later(upFree);
        relay.clock.at(upFree, () -> {
            if (connected && !silent) {
                message.run();
            }
        });
    }

    // What the relay sends -----------------------------------------------------------------------------------------

    private void down(Consumer<Listener> message) {
        downFree = later(downFree);
        relay.clock.at(downFree, () -> {
            if (connected && !silent) {
                message.accept(listener);
            }
        });
    }

    private Instant later(Instant free) {
        Instant arrives = relay.clock.now().plus(relay.latency());
        return arrives.isBefore(free) ? free : arrives;
    }

    void drop(String why) {
        if (connected && !silent) {
            hangUp();
            listener.lost(relay.clock.now().minus(relay.chance.upTo(Duration.ofSeconds(30))), why);
        }
    }

    /** Nothing arrives any more in either direction; the client's pings find out. */
    void dieSilently() {
        if (silent) {
            return;
        }
        silent = true;
        Instant lastHeard = relay.clock.now();
        relay.clock.after(DEAD_AFTER, () -> {
            if (connected) {
                hangUp();
                listener.lost(lastHeard, "no pong");
            }
        });
    }

    void closeOne() {
        if (!open.isEmpty()) {
            String one = relay.chance.one(List.copyOf(open.keySet()));
            open.remove(one);
            down(to -> to.closed(one, "error: shutting down idle subscription"));
        }
    }

    void live(SimEvent event) {
        if (relay.has(Fault.LOSES_LIVE) && relay.chance.percent(60)) {
            return;
        }
        for (Map.Entry<String, Open> one : open.entrySet()) {
            if (!one.getValue().deaf && one.getValue().filters.stream().anyMatch(filter -> filter.matches(event))) {
                down(to -> to.events(one.getKey(), List.of(event)));
            }
        }
    }

    private void serve(String subscription, List<Filter> filters) {
        open.remove(subscription);
        if (relay.has(Fault.SWALLOWS)) {
            return;
        }
        Refusals.Refused refused = Refusals.of(relay, this, filters);
        if (refused != null) {
            refuse(subscription, refused);
            return;
        }
        boolean deaf = open.size() >= relay.traitsNow().subscriptions();
        if (deaf) {
            down(to -> to.notice("ERROR: too many concurrent REQs"));
        }
        open.put(subscription, new Open(filters, deaf));
        answer(subscription, filters);
    }

    private void refuse(String subscription, Refusals.Refused refused) {
        switch (refused.how()) {
            case CLOSED -> {
                down(to -> to.closed(subscription, refused.message()));
                if (challengesLate && refused.message().startsWith("auth-required")) {
                    down(Listener::challenge);
                }
            }
            case NOTICE -> down(to -> to.notice(refused.message()));
            case DROP -> drop("message too long");
        }
    }

    private void answer(String subscription, List<Filter> filters) {
        RelayEvents.Found found =
                relay.events.find(filters, relay.traitsNow().cap(), relay.traits.capPerReq(), relay.traits.capBytes());
        List<SimEvent> events = new ArrayList<>(found.events());
        boolean partial = relay.has(Fault.PARTIAL);
        if (partial) {
            events.removeIf(event -> relay.chance.percent(30));
        }
        addNoise(events);
        boolean early = relay.has(Fault.EARLY_EOSE);
        Hint hint = !relay.traits.saysWhetherFinished() || early || partial
                ? Hint.NONE
                : found.leftOut() ? Hint.MORE : Hint.FINISH;
        if (early) {
            down(to -> to.eose(subscription, hint));
        }
        if (relay.has(Fault.DRIPS) && !events.isEmpty()) {
            drip(subscription, events, 0);
            return;
        }
        sendInChunks(subscription, events);
        if (relay.has(Fault.DROPS) && relay.chance.percent(20)) {
            relay.clock.at(downFree, () -> drop("dropped before EOSE"));
            return;
        }
        if (!early && !relay.has(Fault.NO_EOSE)) {
            down(to -> to.eose(subscription, hint));
        }
        if (relay.has(Fault.TWICE_EOSE)) {
            down(to -> to.eose(subscription, hint));
        }
    }

    private void drip(String subscription, List<SimEvent> events, int next) {
        Open begun = open.get(subscription);
        relay.clock.after(DRIP, () -> {
            if (connected && open.get(subscription) == begun && relay.has(Fault.DRIPS)) {
                down(to -> to.events(subscription, List.of(events.get(next % events.size()))));
                drip(subscription, events, next + 1);
            }
        });
    }

    private void addNoise(List<SimEvent> events) {
        if (relay.traits.repeats() > 0) {
            List<SimEvent> again = events.stream()
                    .filter(event -> relay.chance.percent(relay.traits.repeats()))
                    .toList();
            events.addAll(again);
        }
        int strays = relay.has(Fault.FLOOD) ? 200 : relay.chance.percent(relay.traits.strays()) ? 1 : 0;
        relay.events.all().stream().limit(strays).forEach(events::add);
        if (relay.traits.shuffles()) {
            List<SimEvent> shuffled = relay.chance.shuffled(events);
            events.clear();
            events.addAll(shuffled);
        }
    }

    private void sendInChunks(String subscription, List<SimEvent> events) {
        int size = Math.max(1, (events.size() + CHUNKS - 1) / CHUNKS);
        for (int from = 0; from < events.size(); from += size) {
            List<SimEvent> chunk = List.copyOf(events.subList(from, Math.min(events.size(), from + size)));
            down(to -> to.events(subscription, chunk));
        }
    }

    int openCount() {
        return open.size();
    }

    boolean isAuthenticated() {
        return authenticated;
    }

    /** Counts a REQ, and says how many there were in the last minute. */
    int reqsInAMinute() {
        Instant now = relay.clock.now();
        reqs.add(now);
        while (reqs.getFirst().isBefore(now.minusSeconds(60))) {
            reqs.removeFirst();
        }
        return reqs.size();
    }
}
