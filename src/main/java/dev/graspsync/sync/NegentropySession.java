package dev.graspsync.sync;

import dev.graspsync.negentropy.ClientStep;
import dev.graspsync.negentropy.Failure;
import dev.graspsync.negentropy.Ids;
import dev.graspsync.negentropy.NegentropyClient;
import dev.graspsync.negentropy.SealedSet;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.sync.core.ReconcileFailure;
import dev.graspsync.sync.core.SyncAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Our part of one comparison (NIP-77): our side of the set and what was found so far. Its methods may take a while and
 * belong on a worker, one at a time. However the relay answers, it ends: rounds, bytes, ids and time are bounded.
 */
final class NegentropySession {

    private static final int MOST_ROUNDS = 256;
    private static final long MOST_BYTES = 64L << 20;
    /** So that its set is not kept in memory for hours. */
    private static final Duration LONGEST = Duration.ofMinutes(10);
    /** Of what the relay lacks and nobody publishes to it, some is enough for the log. */
    private static final int SOME_LACKED = 1_000;

    /** What to do next. */
    sealed interface Next {

        record Send(NegentropyMessage message) implements Next {}

        /**
         * @param need what only the relay has and is wanted, oldest first
         * @param have what only we have; empty where nobody asks for it
         */
        record Done(List<EventId> need, int claimed, List<EventId> have, int haveCount) implements Next {}

        record Failed(ReconcileFailure why) implements Next {}
    }

    private final SyncAction.Reconcile action;
    private final NegentropySets sets;
    private final Instant begunAt;
    private @Nullable NegentropyClient client;
    private @Nullable Runnable held;
    private volatile OptionalLong middle = OptionalLong.empty();
    private int rounds;
    private long bytes;
    private final List<Ids> need = new ArrayList<>();
    private final List<Ids> have = new ArrayList<>();
    private int haveCount;
    private boolean ended;

    NegentropySession(SyncAction.Reconcile action, NegentropySets sets) {
        this.action = action;
        this.sets = sets;
        this.begunAt = sets.now();
    }

    SyncAction.Reconcile action() {
        return action;
    }

    /** Reads our side, and gives the first message. */
    synchronized Next open() {
        if (ended) {
            return failed(new ReconcileFailure.Failed("it was ended"));
        }
        return switch (sets.read(action.filter())) {
            case NegentropySets.Side.NoRoom() -> failed(new ReconcileFailure.Failed("too many comparisons at once"));
            case NegentropySets.Side.TooMany(OptionalLong middle) -> failed(new ReconcileFailure.TooMany(middle));
            case NegentropySets.Side.Ready(SealedSet ours, Runnable taken) -> {
                held = taken;
                if (ours.size() == 0) {
                    // Ids first would be a detour: all that comes is new.
                    yield failed(new ReconcileFailure.TooDifferent("nothing of it is here"));
                }
                middle = ours.middle();
                NegentropyClient opened = new NegentropyClient(
                        ours, action.frameLimit(), action.most().of(ours.size()));
                client = opened;
                yield send(opened.initiate());
            }
        };
    }

    /** Takes the relay's answer. */
    synchronized Next answer(NegentropyMessage message) {
        NegentropyClient open = client;
        if (open == null || ended) {
            return failed(new ReconcileFailure.Failed("it was ended"));
        }
        bytes += message.bytes().length;
        return switch (open.reconcile(message.bytes())) {
            case ClientStep.Continue(Ids have, Ids need, byte[] next) -> {
                found(have, need);
                Duration taken = Duration.between(begunAt, sets.now());
                yield rounds >= MOST_ROUNDS || bytes > MOST_BYTES || taken.compareTo(LONGEST) >= 0
                        ? failed(new ReconcileFailure.Broken("no end after %d rounds, %,d bytes and %d seconds"
                                .formatted(rounds, bytes, taken.toSeconds())))
                        : send(next);
            }
            case ClientStep.Done(Ids have, Ids need) -> {
                found(have, need);
                yield done();
            }
            case ClientStep.Failed(Failure failure) -> failed(meaning(failure));
        };
    }

    private Next send(byte[] message) {
        rounds++;
        return new Next.Send(new NegentropyMessage(message));
    }

    private void found(Ids lacked, Ids needed) {
        need.add(needed);
        if (action.push() || haveCount < SOME_LACKED) {
            have.add(lacked);
        }
        haveCount += lacked.size();
    }

    /** Rule 18: what was here once, or came and was refused, is not fetched again. */
    private Next done() {
        List<EventId> wanted = new ArrayList<>();
        int claimed = 0;
        for (Ids ids : need) {
            claimed += ids.size();
            for (EventId id : ids.map(EventId::new)) {
                if (!sets.isKnown(id)) {
                    wanted.add(id);
                }
            }
        }
        List<EventId> lacked = new ArrayList<>();
        have.forEach(ids -> lacked.addAll(ids.map(EventId::new)));
        end();
        sets.lacked(action.relay(), lacked);
        return new Next.Done(wanted, claimed, action.push() ? lacked : List.of(), haveCount);
    }

    private Next failed(ReconcileFailure why) {
        end();
        return new Next.Failed(why);
    }

    private static ReconcileFailure meaning(Failure failure) {
        return switch (failure) {
            case Failure.UnsupportedVersion(int version) -> new ReconcileFailure.OtherVersion(version);
            case Failure.TooManyNeeded(int most) ->
                new ReconcileFailure.TooDifferent("it has more than %,d events that are not here".formatted(most));
            case Failure.Malformed malformed -> new ReconcileFailure.Broken(malformed.toString());
            case Failure.Stalled stalled -> new ReconcileFailure.Broken(stalled.toString());
        };
    }

    /** A second that halves our side, once that is read. Waits for nobody. */
    OptionalLong middle() {
        return middle;
    }

    /** Frees its memory. */
    synchronized void end() {
        ended = true;
        client = null;
        need.clear();
        have.clear();
        Runnable taken = held;
        held = null;
        if (taken != null) {
            taken.run();
        }
    }
}
