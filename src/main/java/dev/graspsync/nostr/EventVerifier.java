package dev.graspsync.nostr;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks BIP-340 signatures. Costs tens of microseconds natively and about a millisecond in pure Java, so never on an
 * event loop. Safe for use by many threads.
 */
public sealed interface EventVerifier permits Secp256k1Verifier, BouncyCastleVerifier {

    /** Whether {@code signature} is the key's over this id; a key that is no point of the curve signs nothing. */
    boolean verify(EventId id, PublicKey key, Signature signature);

    /** Which library does the work, for the log. */
    String implementation();

    /**
     * Where the native library, which there is for this machine, could not be loaded from: an operator can do something
     * about that. Absent where it does the work, or does not exist.
     */
    default Optional<Path> heldUpIn() {
        return Optional.empty();
    }

    /** Whether the event's signature fits the id it states; that the id fits the event is checked elsewhere. */
    default boolean verify(Event event) {
        return verify(event.id(), event.pubkey(), event.sig());
    }

    /** The native library where it loads on this machine, else pure Java. */
    static EventVerifier best() {
        return Secp256k1Verifier.load().<EventVerifier>map(found -> found).orElseGet(BouncyCastleVerifier::new);
    }
}
