package dev.graspsync.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts what several threads verified back into the order in which it arrived: who publishes an announcement and then an
 * issue must not hear that the repository is unknown. Threads work on pieces that are numbered as they are taken.
 */
final class VerifiedInOrder {

    private final Map<Long, List<Incoming.Verified>> done = new HashMap<>();
    private long next;

    /** The piece with this number is verified; what was refused of it is not in the list. */
    synchronized void put(long number, List<Incoming.Verified> verified) {
        done.put(number, verified);
        if (number == next) {
            notifyAll();
        }
    }

    /** Everything verified up to the first piece that is not, about {@code most} at once; empty after a while of nothing. */
    synchronized List<Incoming.Verified> take(int most, Duration patience) throws InterruptedException {
        if (!done.containsKey(next)) {
            wait(patience.toMillis());
        }
        List<Incoming.Verified> taken = new ArrayList<>();
        while (taken.size() < most) {
            @Nullable List<Incoming.Verified> piece = done.remove(next);
            if (piece == null) {
                break;
            }
            next++;
            taken.addAll(piece);
        }
        return taken;
    }
}
