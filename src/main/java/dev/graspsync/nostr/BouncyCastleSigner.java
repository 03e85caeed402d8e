package dev.graspsync.nostr;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.signers.BIP340Signer;

/** Bouncy Castle: slower, but runs wherever Java does. */
final class BouncyCastleSigner implements EventSigner {

    private final ECPrivateKeyParameters key;
    private final PublicKey pubkey;
    private final SecureRandom random = new SecureRandom();

    BouncyCastleSigner(SecretKey secret) {
        ECDomainParameters curve = BIP340Signer.getDomain();
        key = new ECPrivateKeyParameters(new BigInteger(1, secret.bytes()), curve);
        byte[] point = curve.getG().multiply(key.getD()).normalize().getEncoded(false);
        pubkey = PublicKey.ofBytes(Arrays.copyOfRange(point, 1, 1 + PublicKey.BYTES));
    }

    @Override
    public PublicKey pubkey() {
        return pubkey;
    }

    @Override
    public Signature sign(EventId id) {
        BIP340Signer signer = new BIP340Signer();
        signer.init(true, new ParametersWithRandom(key, random));
        signer.update(id.bytes(), 0, EventId.BYTES);
        return Signature.ofBytes(signer.generateSignature());
    }
}
