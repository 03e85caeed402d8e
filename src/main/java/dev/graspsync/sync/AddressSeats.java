package dev.graspsync.sync;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Rule 26: one address has only so many connections, by however many names it is known. Names cost nothing; whoever wants
 * all places, or to hold as much memory as all of them may, needs addresses. Of IPv6 it is the /64 that counts, which is
 * what one host is given. May be used from any thread.
 */
final class AddressSeats {

    private final int most;
    private final Predicate<InetAddress> exempt;
    private final Map<String, Integer> taken = new ConcurrentHashMap<>();

    /** @param exempt addresses that may have as many connections as there are relays */
    AddressSeats(int most, Predicate<InetAddress> exempt) {
        this.most = most;
        this.exempt = exempt;
    }

    /** The right to have one connection to an address, until it is given back. */
    static final class Seat {

        private final Runnable back;
        private final AtomicBoolean given = new AtomicBoolean();

        private Seat(Runnable back) {
            this.back = back;
        }

        void giveBack() {
            if (given.compareAndSet(false, true)) {
                back.run();
            }
        }
    }

    /** Empty where all seats are taken. */
    Optional<Seat> take(InetAddress address) {
        if (exempt.test(address)) {
            return Optional.of(new Seat(() -> {}));
        }
        String key = key(address);
        AtomicBoolean mine = new AtomicBoolean();
        taken.compute(key, (same, count) -> {
            int before = count == null ? 0 : count;
            mine.set(before < most);
            return mine.get() ? Integer.valueOf(before + 1) : count;
        });
        return mine.get() ? Optional.of(new Seat(() -> giveBack(key))) : Optional.empty();
    }

    private void giveBack(String key) {
        taken.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
    }

    /** Why a seat was refused. */
    String refusal(InetAddress address) {
        return "not dialled: " + most + " connections to " + address.getHostAddress() + " are open already";
    }

    private static String key(InetAddress address) {
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, 8) : bytes);
    }
}
