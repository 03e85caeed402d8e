package dev.graspsync.nostr;

import java.util.Arrays;

/**
 * An event as it came: its JSON within a message, and where in it the tags and the content lie. Both are written as NIP-01
 * defines ids, without white space and with its escapes, so that nothing need be written anew to check the id or to store
 * the event.
 */
public final class EventText {

    private final byte[] message;
    private final int from;
    private final int to;
    private final Range tags;
    private final Range content;

    /** A part of the message: {@code from} inclusive, {@code to} exclusive. */
    public record Range(int from, int to) {

        public int length() {
            return to - from;
        }
    }

    /** @param message kept, not copied: not to be changed from now on */
    public EventText(byte[] message, int from, int to, Range tags, Range content) {
        this.message = message;
        this.from = from;
        this.to = to;
        this.tags = tags;
        this.content = content;
    }

    /** The JSON object alone. */
    public byte[] json() {
        return Arrays.copyOfRange(message, from, to);
    }

    /** What the ranges are of; not to be changed. */
    public byte[] message() {
        return message;
    }

    public Range tags() {
        return tags;
    }

    public Range content() {
        return content;
    }
}
