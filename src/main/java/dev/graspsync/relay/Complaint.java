package dev.graspsync.relay;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.wire.ReadResult;
import java.util.OptionalLong;

/** What a client hears of a message that cannot be understood: as far as it can be told, by the name of what it was about. */
final class Complaint {

    private Complaint() {}

    static RelayMessage about(ReadResult.Malformed<ClientMessage> malformed) {
        String reason = Prefix.INVALID.with(malformed.reason());
        if (malformed.eventId().isPresent()) {
            return new RelayMessage.Ok(malformed.eventId().get(), false, reason);
        }
        if (malformed.subscriptionId().isPresent()) {
            return new RelayMessage.Closed(malformed.subscriptionId().get(), reason);
        }
        if (malformed.negentropyId().isPresent()) {
            return new RelayMessage.NegErr(malformed.negentropyId().get(), reason, OptionalLong.empty());
        }
        return new RelayMessage.Notice(reason);
    }
}
