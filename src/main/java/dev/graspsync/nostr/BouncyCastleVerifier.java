package dev.graspsync.nostr;

import java.nio.file.Path;
import java.util.Optional;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.signers.BIP340Signer;
import org.jspecify.annotations.Nullable;

/** Bouncy Castle: slower, but runs wherever Java does. */
final class BouncyCastleVerifier implements EventVerifier {

    @Override
    public boolean verify(EventId id, PublicKey key, Signature signature) {
        ECPublicKeyParameters point = decode(key);
        if (point == null) {
            return false;
        }
        BIP340Signer signer = new BIP340Signer();
        signer.init(false, point);
        signer.update(id.bytes(), 0, EventId.BYTES);
        return signer.verifySignature(signature.bytes());
    }

    /** Null for a key that is not on the curve. */
    private static @Nullable ECPublicKeyParameters decode(PublicKey key) {
        try {
            return BIP340Signer.decodePublicKey(key.bytes());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public Optional<Path> heldUpIn() {
        return Secp256k1File.isPackaged() ? Optional.of(Secp256k1File.folder()) : Optional.empty();
    }

    @Override
    public String implementation() {
        return "Bouncy Castle (pure Java)";
    }
}
