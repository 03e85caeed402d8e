package dev.graspsync.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.EventId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The ids of events the policy refused, so that relays which offer them again and again do not cost a signature check
 * each time (rule 27). When something arrives that a refused event lacked, its id is forgotten: offered once more, it is
 * judged anew. Bounded in entries, bytes and time. Used by any thread.
 */
final class RejectedIds {

    private static final Duration REMEMBERED = Duration.ofDays(7);
    private static final int MOST = 100_000;
    /** Enough for all of them where each lacks one thing, as most do. */
    private static final long MOST_BYTES = 72L << 20;

    private static final int PART_OF_HEAP = 12;
    private static final long ENTRY = 200;
    private static final int LONGEST_LACK = 1 << 20;

    private final Set<EventId> ids = ConcurrentHashMap.newKeySet();
    private final WaitingRoom<EventId> rejected;

    /** @param forgotten told of every id that may be judged anew */
    RejectedIds(Consumer<EventId> forgotten) {
        rejected = new WaitingRoom<>(MOST, HeapShare.of(PART_OF_HEAP, MOST_BYTES), REMEMBERED, id -> {
            ids.remove(id);
            forgotten.accept(id);
        });
    }

    /** @param lacks what would make it acceptable; where that is nothing, it is not remembered */
    synchronized void add(EventId id, Set<String> lacks, Instant now) {
        long bytes = ENTRY
                + lacks.stream().mapToLong(key -> 2L * ENTRY + key.length()).sum();
        rejected.add(id, lacks, bytes, id, now);
        if (rejected.holds(id)) {
            ids.add(id);
        }
    }

    boolean contains(EventId id) {
        return ids.contains(id);
    }

    /** These arrived: what lacked one of them may be acceptable now. */
    synchronized void forgetThoseLacking(Collection<String> arrived, Instant now) {
        rejected.takeFor(arrived, now);
    }

    int size() {
        return ids.size();
    }

    synchronized void write(DataOutputStream out) throws IOException {
        out.writeInt(rejected.size());
        for (WaitingRoom.Waiting<EventId> one : rejected.all()) {
            out.write(one.payload().bytes());
            out.writeLong(one.leavesAt().getEpochSecond());
            out.writeShort(one.lacks().size());
            for (String lack : one.lacks()) {
                byte[] text = lack.getBytes(UTF_8);
                out.writeInt(text.length);
                out.write(text);
            }
        }
    }

    void read(DataInputStream in, Instant now) throws IOException {
        for (int left = in.readInt(); left > 0; left--) {
            EventId id = EventId.ofBytes(in.readNBytes(EventId.BYTES));
            Instant until = Instant.ofEpochSecond(in.readLong());
            Set<String> lacks = new LinkedHashSet<>();
            for (int more = in.readUnsignedShort(); more > 0; more--) {
                lacks.add(new String(in.readNBytes(Math.clamp(in.readInt(), 0, LONGEST_LACK)), UTF_8));
            }
            if (until.isAfter(now)) {
                add(id, lacks, until.minus(REMEMBERED));
            }
        }
    }
}
