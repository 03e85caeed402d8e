package dev.graspsync.relay;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;
import java.util.Optional;

/** Puts a client's frames together to messages, and holds no more of one than the limit. */
final class IncomingMessage {

    /** What a client sent, once it is whole. */
    sealed interface Whole {

        @SuppressWarnings("ArrayRecordComponent")
        record Text(byte[] utf8) implements Whole {}

        record Binary() implements Whole {}

        record TooLong(long bytes) implements Whole {}
    }

    private final int most;
    private Buffer parts = Buffer.buffer();
    private long length;
    private boolean text;

    IncomingMessage(int most) {
        this.most = most;
    }

    /** Takes the next frame with data; returns the message it completes, if it does. */
    Optional<Whole> add(WebSocketFrame frame) {
        if (!frame.isContinuation()) {
            text = frame.isText();
            length = 0;
        }
        Buffer data = frame.binaryData();
        boolean single = length == 0 && frame.isFinal();
        length += data.length();
        if (single && text && length <= most) {
            return Optional.of(new Whole.Text(data.getBytes()));
        }
        if (text && length <= most) {
            parts.appendBuffer(data);
        } else {
            parts = Buffer.buffer();
        }
        return frame.isFinal() ? Optional.of(finish()) : Optional.empty();
    }

    private Whole finish() {
        Buffer whole = parts;
        parts = Buffer.buffer();
        if (!text) {
            return new Whole.Binary();
        }
        return length > most ? new Whole.TooLong(length) : new Whole.Text(whole.getBytes());
    }
}
