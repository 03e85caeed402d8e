package dev.graspsync.nostr;

import fr.acinq.secp256k1.Secp256k1;
import fr.acinq.secp256k1.Secp256k1Exception;
import java.util.Optional;

/** libsecp256k1 through JNI. */
final class Secp256k1Verifier implements EventVerifier {

    private final Secp256k1 library;

    private Secp256k1Verifier(Secp256k1 library) {
        this.library = library;
    }

    /** Absent where the platform has no build of the library, or forbids loading it. */
    static Optional<Secp256k1Verifier> load() {
        try {
            return Optional.of(new Secp256k1Verifier(Secp256k1File.load()));
        } catch (LinkageError | RuntimeException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean verify(EventId id, PublicKey key, Signature signature) {
        try {
            return library.verifySchnorr(signature.bytes(), id.bytes(), key.bytes());
        } catch (Secp256k1Exception | IllegalArgumentException e) {
            // The library throws, rather than says no, for a key that is not on the curve.
            return false;
        }
    }

    @Override
    public String implementation() {
        return "libsecp256k1 (native)";
    }
}
