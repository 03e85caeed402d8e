package dev.graspsync.wire;

import dev.graspsync.nostr.EventId;
import java.util.Optional;

/** What came of reading one message. */
public sealed interface ReadResult<M> {

    record Message<M>(M message) implements ReadResult<M> {}

    /**
     * Text that is not a message, with as much of it as is needed to answer: {@code OK false} where the event is known,
     * {@code CLOSED} where the subscription is, {@code NEG-ERR} where the comparison is, else {@code NOTICE}.
     *
     * @param reason for people, without a machine-readable prefix
     */
    record Malformed<M>(
            String reason, Optional<EventId> eventId, Optional<String> subscriptionId, Optional<String> negentropyId)
            implements ReadResult<M> {}
}
