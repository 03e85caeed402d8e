package dev.graspsync.nostr;

import fr.acinq.secp256k1.Secp256k1;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;

/** libsecp256k1 through JNI. */
final class Secp256k1Signer implements EventSigner {

    private final Secp256k1 library;
    private final SecretKey key;
    private final PublicKey pubkey;
    private final SecureRandom random = new SecureRandom();

    private Secp256k1Signer(Secp256k1 library, SecretKey key) {
        this.library = library;
        this.key = key;
        // 0x04, then x and y: BIP-340 keys are x alone.
        this.pubkey = PublicKey.ofBytes(Arrays.copyOfRange(library.pubkeyCreate(key.bytes()), 1, 1 + PublicKey.BYTES));
    }

    /** Absent where the platform has no build of the library, or forbids loading it. */
    static Optional<Secp256k1Signer> load(SecretKey key) {
        try {
            return Optional.of(new Secp256k1Signer(Secp256k1File.load(), key));
        } catch (LinkageError | RuntimeException e) {
            return Optional.empty();
        }
    }

    @Override
    public PublicKey pubkey() {
        return pubkey;
    }

    @Override
    public Signature sign(EventId id) {
        byte[] auxiliary = new byte[32];
        random.nextBytes(auxiliary);
        return Signature.ofBytes(library.signSchnorr(id.bytes(), key.bytes(), auxiliary));
    }
}
