package dev.graspsync.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonToken;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads what clients send, strictly: clients can be told what is wrong. Never throws, whatever the bytes. */
public final class ClientMessageReader {

    private static final byte[] EVENT = "[\"EVENT\",".getBytes(US_ASCII);

    private String type = "";
    private Optional<String> subscriptionId = Optional.empty();
    private Optional<String> negentropyId = Optional.empty();

    private ClientMessageReader() {}

    public static ReadResult<ClientMessage> read(byte[] buf, int off, int len) {
        if (len > EVENT.length && Arrays.equals(buf, off, off + EVENT.length, EVENT, 0, EVENT.length)) {
            Event event = CompactEvent.read(buf, off + EVENT.length, off + len);
            if (event != null) {
                return new ReadResult.Message<>(new ClientMessage.Event(event));
            }
        }
        return readAny(buf, off, len);
    }

    /** Reads a message however it is written. */
    static ReadResult<ClientMessage> readAny(byte[] buf, int off, int len) {
        ClientMessageReader reader = new ClientMessageReader();
        try (JsonInput in = JsonInput.open(buf, off, len)) {
            ClientMessage message = reader.message(in);
            return new ReadResult.Message<>(message);
        } catch (MalformedException e) {
            return reader.malformed(String.valueOf(e.getMessage()), buf, off, len);
        } catch (IOException e) {
            // Jackson's own words quote the input and name its classes.
            return reader.malformed("not valid JSON", buf, off, len);
        }
    }

    private ReadResult<ClientMessage> malformed(String reason, byte[] buf, int off, int len) {
        Optional<EventId> id =
                type.equals("EVENT") || type.equals("AUTH") ? EventReader.statedId(buf, off, len) : Optional.empty();
        return new ReadResult.Malformed<>(reason, id, subscriptionId, negentropyId);
    }

    private ClientMessage message(JsonInput in) throws IOException, MalformedException {
        type = in.string("message type");
        switch (type) {
            case "EVENT" -> {
                ClientMessage message = new ClientMessage.Event(EventReader.read(in));
                in.end(false);
                return message;
            }
            case "AUTH" -> {
                ClientMessage message = new ClientMessage.Auth(EventReader.read(in));
                in.end(false);
                return message;
            }
            case "CLOSE" -> {
                ClientMessage message = new ClientMessage.Close(subscription(in));
                in.end(false);
                return message;
            }
            case "REQ" -> {
                return new ClientMessage.Req(subscription(in), filters(in));
            }
            case "COUNT" -> {
                return new ClientMessage.Count(subscription(in), filters(in));
            }
            case "NEG-OPEN" -> {
                String session = negentropy(in);
                in.startObject("filter");
                ClientMessage message =
                        new ClientMessage.NegOpen(session, FilterReader.read(in), in.negentropyMessage());
                in.end(false);
                return message;
            }
            case "NEG-MSG" -> {
                ClientMessage message = new ClientMessage.NegMsg(negentropy(in), in.negentropyMessage());
                in.end(false);
                return message;
            }
            case "NEG-CLOSE" -> {
                ClientMessage message = new ClientMessage.NegClose(negentropy(in));
                in.end(false);
                return message;
            }
            default -> throw new MalformedException("unknown message type " + MalformedException.quote(type));
        }
    }

    private String subscription(JsonInput in) throws IOException, MalformedException {
        String id = in.subscriptionId();
        subscriptionId = Optional.of(id);
        return id;
    }

    private String negentropy(JsonInput in) throws IOException, MalformedException {
        String id = in.subscriptionId();
        negentropyId = Optional.of(id);
        return id;
    }

    private static List<Filter> filters(JsonInput in) throws IOException, MalformedException {
        List<Filter> filters = new ArrayList<>();
        while (in.hasElement()) {
            if (in.current() != JsonToken.START_OBJECT) {
                throw new MalformedException("filter is not an object");
            }
            filters.add(FilterReader.read(in));
        }
        if (filters.isEmpty()) {
            throw new MalformedException("no filter");
        }
        in.endOfText();
        return filters;
    }
}
