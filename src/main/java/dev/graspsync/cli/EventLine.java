package dev.graspsync.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.wire.ClientMessageReader;
import dev.graspsync.wire.ReadResult;
import java.util.Arrays;

/** A line of a file of events, read as strictly as what a client publishes. */
sealed interface EventLine {

    record Read(Event event) implements EventLine {}

    record Malformed(String why) implements EventLine {}

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    static EventLine of(byte[] json) {
        byte[] open = ascii("[\"EVENT\",");
        byte[] message = Arrays.copyOf(open, open.length + json.length + 1);
        System.arraycopy(json, 0, message, open.length, json.length);
        message[message.length - 1] = ']';
        return switch (ClientMessageReader.read(message, 0, message.length)) {
            case ReadResult.Message<ClientMessage>(ClientMessage.Event(Event event)) -> new Read(event);
            case ReadResult.Message<ClientMessage> other -> new Malformed("not an event");
            case ReadResult.Malformed<ClientMessage> malformed -> new Malformed(malformed.reason());
        };
    }
}
