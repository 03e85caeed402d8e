package dev.graspsync.negentropy;

/** What a client makes of an answer. {@code have} are ids only we have, {@code need} ids only the other side has. */
public sealed interface ClientStep {

    /** Send this; more will follow. */
    @SuppressWarnings("ArrayRecordComponent") // handed on to the socket, never compared
    record Continue(Ids have, Ids need, byte[] message) implements ClientStep {}

    /** All differences are known. */
    record Done(Ids have, Ids need) implements ClientStep {}

    record Failed(Failure failure) implements ClientStep {}
}
