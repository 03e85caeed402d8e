package dev.graspsync.nostr;

/**
 * An event with its JSON text, so that it is serialised once and stored and sent many times.
 *
 * @param json compact UTF-8; shared, not to be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record EncodedEvent(Event event, byte[] json) {

    /** The text follows from the event, so the event alone decides. */
    @Override
    public boolean equals(Object other) {
        return other instanceof EncodedEvent that && event.equals(that.event);
    }

    @Override
    public int hashCode() {
        return event.hashCode();
    }
}
