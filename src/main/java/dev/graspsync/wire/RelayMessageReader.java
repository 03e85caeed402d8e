package dev.graspsync.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonToken;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads what relays send; elements a NIP may add at the end are ignored. Never throws, whatever the bytes. */
public final class RelayMessageReader {

    private static final byte[] EVENT = "[\"EVENT\",\"".getBytes(US_ASCII);

    private Optional<EventId> eventId = Optional.empty();
    private Optional<String> subscriptionId = Optional.empty();
    private Optional<String> negentropyId = Optional.empty();

    private RelayMessageReader() {}

    public static ReadResult<RelayMessage> read(byte[] buf, int off, int len) {
        RelayMessage compact = len > EVENT.length && Arrays.equals(buf, off, off + EVENT.length, EVENT, 0, EVENT.length)
                ? compactEvent(buf, off + EVENT.length, off + len)
                : null;
        return compact == null ? readAny(buf, off, len) : new ReadResult.Message<>(compact);
    }

    /** @param from where the subscription's name begins */
    private static @Nullable RelayMessage compactEvent(byte[] buf, int from, int end) {
        int at = from;
        while (at < end && buf[at] >= ' ' && buf[at] != '"' && buf[at] != '\\') {
            at++;
        }
        if (at == from
                || at - from > ClientMessage.MAX_SUBSCRIPTION_ID
                || end - at < 2
                || buf[at] != '"'
                || buf[at + 1] != ',') {
            return null;
        }
        Event event = CompactEvent.read(buf, at + 2, end);
        return event == null ? null : new RelayMessage.Event(new String(buf, from, at - from, US_ASCII), event);
    }

    /** Reads a message however it is written. */
    static ReadResult<RelayMessage> readAny(byte[] buf, int off, int len) {
        RelayMessageReader reader = new RelayMessageReader();
        try (JsonInput in = JsonInput.open(buf, off, len)) {
            RelayMessage message = reader.message(in);
            return new ReadResult.Message<>(message);
        } catch (MalformedException e) {
            return reader.malformed(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return reader.malformed("not valid JSON");
        }
    }

    private ReadResult<RelayMessage> malformed(String reason) {
        return new ReadResult.Malformed<>(reason, eventId, subscriptionId, negentropyId);
    }

    private RelayMessage message(JsonInput in) throws IOException, MalformedException {
        String type = in.string("message type");
        switch (type) {
            case "EVENT" -> {
                return ended(in, new RelayMessage.Event(subscription(in), EventReader.read(in)));
            }
            case "EOSE" -> {
                return eose(in, subscription(in));
            }
            case "OK" -> {
                return ok(in);
            }
            case "CLOSED" -> {
                return new RelayMessage.Closed(subscription(in), optionalText(in));
            }
            case "NOTICE" -> {
                return ended(in, new RelayMessage.Notice(in.string("notice")));
            }
            case "COUNT" -> {
                return ended(in, count(in, subscription(in)));
            }
            case "AUTH" -> {
                return ended(in, new RelayMessage.Auth(in.string("challenge")));
            }
            case "NEG-MSG" -> {
                return ended(in, new RelayMessage.NegMsg(negentropy(in), in.negentropyMessage()));
            }
            case "NEG-ERR" -> {
                return negErr(in, negentropy(in));
            }
            default -> throw new MalformedException("unknown message type " + MalformedException.quote(type));
        }
    }

    private static RelayMessage ended(JsonInput in, RelayMessage message) throws IOException, MalformedException {
        in.end(true);
        return message;
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

    /** NIP-67: the third element is a list of hints; ones we do not know say nothing. */
    private static RelayMessage eose(JsonInput in, String subscription) throws IOException, MalformedException {
        Hint hint = Hint.NONE;
        if (in.hasElement()) {
            if (in.current() == JsonToken.START_ARRAY) {
                hint = hints(in);
            } else {
                in.skip();
            }
            in.end(true);
        } else {
            in.endOfText();
        }
        return new RelayMessage.Eose(subscription, hint);
    }

    private static Hint hints(JsonInput in) throws IOException, MalformedException {
        Hint hint = Hint.NONE;
        while (in.hasElement()) {
            if (in.current() != JsonToken.VALUE_STRING) {
                in.skip();
                continue;
            }
            String word = in.currentString("hint");
            // "more" is the safe one to believe where a relay says both.
            if (word.equals("more")) {
                hint = Hint.MORE;
            } else if (word.equals("finish") && hint == Hint.NONE) {
                hint = Hint.FINISH;
            }
        }
        return hint;
    }

    private RelayMessage ok(JsonInput in) throws IOException, MalformedException {
        EventId id = EventId.parse(in.string("event id"))
                .orElseThrow(() -> new MalformedException("event id is not 64 lower-case hex digits"));
        eventId = Optional.of(id);
        JsonToken accepted = in.next();
        if (!accepted.isBoolean()) {
            throw new MalformedException("OK says neither true nor false");
        }
        return new RelayMessage.Ok(id, accepted == JsonToken.VALUE_TRUE, optionalText(in));
    }

    /** NIP-01 demands the text, yet some relays leave it out. */
    private static String optionalText(JsonInput in) throws IOException, MalformedException {
        if (!in.hasElement()) {
            in.endOfText();
            return "";
        }
        String text = in.currentString("message");
        in.end(true);
        return text;
    }

    /** NIP-77: the reason, then perhaps the most events the relay compares; a cap we cannot read says nothing. */
    private static RelayMessage negErr(JsonInput in, String session) throws IOException, MalformedException {
        if (!in.hasElement()) {
            in.endOfText();
            return new RelayMessage.NegErr(session, "", OptionalLong.empty());
        }
        String reason = in.currentString("reason");
        OptionalLong cap = OptionalLong.empty();
        if (!in.hasElement()) {
            in.endOfText();
            return new RelayMessage.NegErr(session, reason, cap);
        }
        if (in.current() == JsonToken.VALUE_NUMBER_INT) {
            cap = OptionalLong.of(in.currentInteger("cap", Long.MAX_VALUE));
        } else {
            in.skip();
        }
        return ended(in, new RelayMessage.NegErr(session, reason, cap));
    }

    private static RelayMessage count(JsonInput in, String subscription) throws IOException, MalformedException {
        in.startObject("count");
        long count = -1;
        boolean approximate = false;
        while (in.hasField()) {
            switch (in.fieldName()) {
                case "count" -> count = in.integer("count", Long.MAX_VALUE);
                case "approximate" -> {
                    approximate = in.next() == JsonToken.VALUE_TRUE;
                    in.skip();
                }
                default -> {
                    in.next();
                    in.skip();
                }
            }
        }
        if (count < 0) {
            throw new MalformedException("missing count");
        }
        return new RelayMessage.Count(subscription, count, approximate);
    }
}
