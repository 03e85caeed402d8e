package dev.graspsync.negentropy;

/** Why a session ended without a result. */
public sealed interface Failure {

    /** The bytes are no message of the protocol. */
    record Malformed(String reason, int position) implements Failure {}

    /** The other side speaks another version, at most this one: 0x62 is version 2. */
    record UnsupportedVersion(int version) implements Failure {}

    /** So many answers in a row told nothing new. */
    record Stalled(int rounds) implements Failure {}

    /** The other side claims more ids that we lack than we are willing to take. */
    record TooManyNeeded(int most) implements Failure {}
}
