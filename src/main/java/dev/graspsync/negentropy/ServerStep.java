package dev.graspsync.negentropy;

/** What a server makes of a message. */
public sealed interface ServerStep {

    @SuppressWarnings("ArrayRecordComponent") // handed on to the socket, never compared
    record Reply(byte[] message) implements ServerStep {}

    record Failed(Failure failure) implements ServerStep {}
}
