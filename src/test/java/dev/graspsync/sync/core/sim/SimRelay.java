package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.RelayUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A relay of the simulated world: its events, its traits, its faults, and who is connected. */
final class SimRelay {

    final RelayUrl url;
    final RelayTraits traits;
    final ComparingTraits comparing;
    final Faults faults;
    /** Misbehaves to the end: what it alone has is not missed. */
    final boolean hostile;

    final RelayEvents events = new RelayEvents();
    final SimClock clock;
    final Chance chance;
    private final List<SimSocket> sockets = new ArrayList<>();
    /** How often it answered a comparison in which way. */
    final Map<String, Integer> compared = new TreeMap<>();

    SimRelay(RelayUrl url, RelayTraits traits, Faults faults, boolean hostile, SimClock clock, Chance chance) {
        this(url, traits, ComparingTraits.NONE, faults, hostile, clock, chance);
    }

    SimRelay(
            RelayUrl url,
            RelayTraits traits,
            ComparingTraits comparing,
            Faults faults,
            boolean hostile,
            SimClock clock,
            Chance chance) {
        this.url = url;
        this.traits = traits;
        this.comparing = comparing;
        this.faults = faults;
        this.hostile = hostile;
        this.clock = clock;
        this.chance = chance;
        faults.windows().forEach(this::plan);
    }

    private void plan(Faults.Window window) {
        switch (window.fault()) {
            case UNREACHABLE -> clock.at(window.from(), this::dropAll);
            case BLACKHOLE -> clock.at(window.from(), () -> List.copyOf(sockets).forEach(SimSocket::dieSilently));
            case DROPS -> repeat(window, Duration.ofMinutes(40), this::dropAll);
            case CLOSES_LIVE ->
                repeat(window, Duration.ofHours(2), () -> List.copyOf(sockets).forEach(SimSocket::closeOne));
            default -> {}
        }
    }

    private void repeat(Faults.Window window, Duration most, Runnable what) {
        Instant next = window.from().plus(chance.upTo(most));
        while (window.holds(next)) {
            clock.at(next, what);
            next = next.plus(chance.between(Duration.ofSeconds(20), most));
        }
    }

    /** What it takes and hands out at the moment; its NIP-11 document does not change with it. */
    RelayTraits traitsNow() {
        return has(Fault.TIGHTENS) ? traits.tightened() : traits;
    }

    boolean has(Fault fault) {
        return faults.has(fault, clock.now());
    }

    void publish(SimEvent event) {
        if (events.add(event)) {
            List.copyOf(sockets).forEach(socket -> socket.live(event));
        }
    }

    /** Answers later with {@link SimSocket.Listener#opened} or {@link SimSocket.Listener#failed}. */
    void connect(SimSocket.Listener listener) {
        clock.after(latency(), () -> {
            if (has(Fault.UNREACHABLE) || has(Fault.BLACKHOLE)) {
                clock.after(chance.upTo(Duration.ofSeconds(10)), () -> listener.failed("unreachable"));
                return;
            }
            SimSocket socket = new SimSocket(this, listener);
            sockets.add(socket);
            listener.opened(socket);
            socket.greet();
            if (has(Fault.ACCEPT_THEN_DROP)) {
                clock.after(chance.upTo(Duration.ofSeconds(20)), () -> socket.drop("dropped after the handshake"));
            }
        });
    }

    Duration latency() {
        Duration usual = chance.between(traits.latency().dividedBy(2), traits.latency());
        return has(Fault.SLOW) ? usual.plus(chance.upTo(Duration.ofSeconds(25))) : usual;
    }

    void count(SimComparison answer) {
        compared.merge(answer.sort(), 1, Integer::sum);
        if (answer instanceof SimComparison.Claims && has(Fault.NEGENTROPY_LIES)) {
            compared.merge("lied", 1, Integer::sum);
        }
    }

    void forget(SimSocket socket) {
        sockets.remove(socket);
    }

    private void dropAll() {
        List.copyOf(sockets).forEach(socket -> socket.drop("connection reset"));
    }

    @Override
    public String toString() {
        return url + (hostile ? " (hostile) " : " ") + traits + " " + comparing + " now " + faults.at(clock.now());
    }
}
