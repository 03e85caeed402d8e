package dev.graspsync.negentropy;

/**
 * The side that answers: it has nothing to learn, and keeps no state from one message to the next. An answer takes work in
 * proportion to the message and to the answer, and an answer without a frame limit is at most as long as all ids are.
 */
public final class NegentropyServer {

    private final SealedSet set;
    private final Fingerprints fingerprints;
    private final int frameLimit;

    /** @param frameLimit the most bytes of an answer, at least 4096; 0 for no limit */
    public NegentropyServer(SealedSet set, int frameLimit) {
        this.set = set;
        this.fingerprints = new Fingerprints(set);
        this.frameLimit = RangeWriter.checkedLimit(frameLimit);
    }

    public ServerStep reconcile(byte[] message) {
        return switch (Version.of(message)) {
            case Version.Ours() -> answer(message);
            // The protocol's way to say which version we do speak.
            case Version.Other(int _) -> new ServerStep.Reply(new byte[] {Version.BYTE});
            case Version.None(Failure failure) -> new ServerStep.Failed(failure);
        };
    }

    private ServerStep answer(byte[] message) {
        RangeWriter out = new RangeWriter(set, fingerprints, frameLimit);
        Failure failure =
                Answer.write(message, set, fingerprints, out, (in, from, to) -> out.list(from, to, in.upper()));
        return failure != null ? new ServerStep.Failed(failure) : new ServerStep.Reply(out.toBytes());
    }
}
