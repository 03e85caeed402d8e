package dev.graspsync;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import dev.graspsync.wire.EventJson;
import fr.acinq.secp256k1.Secp256k1;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/** A person of the tests: the same name always has the same key, and the same event the same signature. */
public final class TestKeys {

    public static final TestKeys ALICE = named("alice");
    public static final TestKeys BOB = named("bob");
    public static final TestKeys CAROL = named("carol");

    private final byte[] secret;
    private final PublicKey pubkey;

    private TestKeys(byte[] secret) {
        this.secret = secret;
        // 0x04, then x and y: BIP-340 keys are x alone.
        byte[] point = Secp256k1.get().pubkeyCreate(secret);
        this.pubkey = PublicKey.ofBytes(Arrays.copyOfRange(point, 1, 33));
    }

    public static TestKeys named(String name) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return new TestKeys(sha256.digest(("test key of " + name).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public PublicKey pubkey() {
        return pubkey;
    }

    public Event sign(int kind, long createdAt, List<Tag> tags, String content) {
        EventId id = EventJson.id(pubkey, createdAt, kind, tags, content);
        byte[] signature = Secp256k1.get().signSchnorr(id.bytes(), secret, new byte[32]);
        return new Event(id, pubkey, createdAt, kind, tags, content, Signature.ofBytes(signature));
    }
}
