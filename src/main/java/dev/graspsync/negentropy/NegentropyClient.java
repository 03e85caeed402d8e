package dev.graspsync.negentropy;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The side that asks, and learns what only one of the two has. Each id is told once. A session ends whatever the other
 * side answers: it may not go on without telling something new, and not claim more ids than we are willing to take.
 */
public final class NegentropyClient {

    /**
     * Answers in a row that may tell nothing. A range shrinks to a sixteenth with each message, so an honest side gets
     * from all of its items down to ids in fewer than ten.
     */
    static final int QUIET_ROUNDS = 64;

    private final SealedSet set;
    private final Fingerprints fingerprints;
    private final int frameLimit;
    private final int mostNeeded;
    private final BitSet told = new BitSet();
    private final IdSet needed = new IdSet();
    private int quiet;
    private @Nullable Failure failure;

    /**
     * @param frameLimit the most bytes of a message of ours, at least 4096; 0 for no limit
     * @param mostNeeded the most ids the other side may claim to have beyond ours
     */
    public NegentropyClient(SealedSet set, int frameLimit, int mostNeeded) {
        this.set = set;
        this.fingerprints = new Fingerprints(set);
        this.frameLimit = RangeWriter.checkedLimit(frameLimit);
        this.mostNeeded = mostNeeded;
    }

    /** The first message. */
    public byte[] initiate() {
        RangeWriter out = new RangeWriter(set, fingerprints, frameLimit);
        out.start();
        return out.toBytes();
    }

    /** Takes the answer to the message before. After a failure every further answer gives the same failure. */
    public ClientStep reconcile(byte[] answer) {
        if (failure != null) {
            return new ClientStep.Failed(failure);
        }
        return switch (Version.of(answer)) {
            case Version.Ours() -> compare(answer);
            case Version.Other(int version) -> failed(new Failure.UnsupportedVersion(version));
            case Version.None(Failure none) -> failed(none);
        };
    }

    private ClientStep compare(byte[] answer) {
        RangeWriter out = new RangeWriter(set, fingerprints, frameLimit);
        Difference difference = new Difference(set, told, needed);
        Failure malformed = Answer.write(answer, set, fingerprints, out, (in, from, to) -> {
            difference.add(in.ids(), from, to);
            out.skip(in.upper());
        });
        if (malformed != null) {
            return failed(malformed);
        }
        Ids have = difference.have();
        Ids need = difference.need();
        if (needed.size() > mostNeeded) {
            return failed(new Failure.TooManyNeeded(mostNeeded));
        }
        quiet = have.isEmpty() && need.isEmpty() ? quiet + 1 : 0;
        if (out.isEmpty()) {
            return new ClientStep.Done(have, need);
        }
        return quiet == QUIET_ROUNDS
                ? failed(new Failure.Stalled(QUIET_ROUNDS))
                : new ClientStep.Continue(have, need, out.toBytes());
    }

    private ClientStep failed(Failure reason) {
        failure = reason;
        return new ClientStep.Failed(reason);
    }
}
