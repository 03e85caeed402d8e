package dev.graspsync.sync.core;

import java.util.OptionalLong;

/** How a comparison (NIP-77) ended without a result. */
public sealed interface ReconcileFailure {

    /**
     * NEG-ERR.
     *
     * @param cap the most events the relay compares, where it says so
     * @param middle a second that halves what we have ourselves
     */
    record Refused(String reason, OptionalLong cap, OptionalLong middle) implements ReconcileFailure {}

    /** We have more ourselves than one comparison may hold. */
    record TooMany(OptionalLong middle) implements ReconcileFailure {}

    /** The relay has more that we lack than {@link SyncAction.Reconcile#most}, or we have nothing ourselves. */
    record TooDifferent(String why) implements ReconcileFailure {}

    /** Its answers make no sense, or have no end. */
    record Broken(String why) implements ReconcileFailure {}

    /** It speaks another version of the protocol. */
    record OtherVersion(int version) implements ReconcileFailure {}

    /** Something failed on our own side, or there was no room for it: the relay is not to blame. */
    record Failed(String why) implements ReconcileFailure {}
}
