package dev.graspsync.nostr;

/** Signs event ids with one key (BIP-340). Safe for use by many threads. */
public sealed interface EventSigner permits Secp256k1Signer, BouncyCastleSigner {

    /** Whose signatures these are. */
    PublicKey pubkey();

    Signature sign(EventId id);

    /** With the native library where it loads on this machine, else in pure Java. */
    static EventSigner best(SecretKey key) {
        return Secp256k1Signer.load(key).<EventSigner>map(found -> found).orElseGet(() -> new BouncyCastleSigner(key));
    }
}
