package dev.graspsync.sync;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.EventSigner;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.Tag;
import dev.graspsync.wire.EventJson;
import java.time.Instant;
import java.util.List;

/** NIP-42, as a client: who this service is to the relays that ask. */
record ClientAuthentication(EventSigner signer) {

    /**
     * The answer to a relay's challenge; it is sent as AUTH, and the relay's OK names its id. Nothing in it lets a relay
     * use it at another one, because it names the relay it is meant for.
     */
    Event answer(RelayUrl relay, String challenge, Instant now) {
        List<Tag> tags = List.of(Tag.of("relay", relay.toString()), Tag.of("challenge", challenge));
        EventId id = EventJson.id(signer.pubkey(), now.getEpochSecond(), Kind.CLIENT_AUTH, tags, "");
        return new Event(id, signer.pubkey(), now.getEpochSecond(), Kind.CLIENT_AUTH, tags, "", signer.sign(id));
    }
}
