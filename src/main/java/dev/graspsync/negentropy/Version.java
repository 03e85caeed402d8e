package dev.graspsync.negentropy;

/** What the first byte of a message says. */
sealed interface Version {

    /** Version 1, the only one we speak. */
    byte BYTE = 0x61;

    record Ours() implements Version {}

    /** Another version of the protocol, by its byte. */
    record Other(int number) implements Version {}

    /** No message of any version. */
    record None(Failure failure) implements Version {}

    static Version of(byte[] message) {
        if (message.length == 0) {
            return new None(new Failure.Malformed("an empty message", 0));
        }
        if (message[0] == BYTE) {
            return new Ours();
        }
        // Versions are numbered from 0x60; the protocol leaves room for sixteen.
        return (message[0] & 0xf0) == 0x60
                ? new Other(message[0])
                : new None(new Failure.Malformed("no version of the protocol", 0));
    }
}
