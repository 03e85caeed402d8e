package dev.graspsync.nostr;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;

/** What people paste (NIP-19), for tests that ask with it. */
public final class Pasted {

    private Pasted() {}

    public static String npub(PublicKey pubkey) {
        return new Bech32("npub", pubkey.bytes()).text();
    }

    public static String note(EventId id) {
        return new Bech32("note", id.bytes()).text();
    }

    public static String nevent(EventId id, PublicKey author, List<String> relays) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        put(out, 0, id.bytes());
        relays.forEach(relay -> put(out, 1, relay.getBytes(UTF_8)));
        put(out, 2, author.bytes());
        return new Bech32("nevent", out.toByteArray()).text();
    }

    private static void put(ByteArrayOutputStream out, int type, byte[] value) {
        out.write(type);
        out.write(value.length);
        out.writeBytes(value);
    }
}
