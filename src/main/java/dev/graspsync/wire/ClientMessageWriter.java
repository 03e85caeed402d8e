package dev.graspsync.wire;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Filter;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;

/** Writes what clients send, as UTF-8 JSON. */
public final class ClientMessageWriter {

    private static final int FRAME = 256;

    private ClientMessageWriter() {}

    public static byte[] write(ClientMessage message) {
        return switch (message) {
            case ClientMessage.Event(var event) -> event(EventJson.write(event));
            case ClientMessage.Auth(var event) ->
                start("AUTH").raw(EventJson.write(event)).raw(']').toBytes();
            case ClientMessage.Close(String subscription) ->
                start("CLOSE").string(subscription).raw(']').toBytes();
            case ClientMessage.Req(String subscription, var filters) -> query("REQ", subscription, filters);
            case ClientMessage.Count(String subscription, var filters) -> query("COUNT", subscription, filters);
            case ClientMessage.NegOpen(String session, var filter, var payload) -> {
                JsonBytes out = start("NEG-OPEN").string(session).raw(',');
                filter(out, filter);
                yield out.raw(',').string(payload.hex()).raw(']').toBytes();
            }
            case ClientMessage.NegMsg(String session, var payload) ->
                start("NEG-MSG")
                        .string(session)
                        .raw(',')
                        .string(payload.hex())
                        .raw(']')
                        .toBytes();
            case ClientMessage.NegClose(String session) ->
                start("NEG-CLOSE").string(session).raw(']').toBytes();
        };
    }

    /** An event already written as JSON, put into its message as it is. */
    public static byte[] event(byte[] eventJson) {
        return new JsonBytes(eventJson.length + 16)
                .raw("[\"EVENT\",")
                .raw(eventJson)
                .raw(']')
                .toBytes();
    }

    private static byte[] query(String type, String subscription, List<Filter> filters) {
        JsonBytes out = start(type).string(subscription);
        for (Filter filter : filters) {
            out.raw(',');
            filter(out, filter);
        }
        return out.raw(']').toBytes();
    }

    private static JsonBytes start(String type) {
        return new JsonBytes(FRAME).raw('[').string(type).raw(',');
    }

    private static void filter(JsonBytes out, Filter filter) {
        int start = out.size() + 1;
        out.raw('{');
        filter.ids().ifPresent(ids -> array(name(out, start, "ids"), ids, (to, id) -> to.string(id.hex())));
        filter.authors().ifPresent(keys -> array(name(out, start, "authors"), keys, (to, key) -> to.string(key.hex())));
        filter.kinds().ifPresent(kinds -> array(name(out, start, "kinds"), kinds, (to, kind) -> to.number(kind)));
        filter.tags().forEach((tag, values) -> array(name(out, start, "#" + tag), values, (to, v) -> to.string(v)));
        filter.since().ifPresent(since -> name(out, start, "since").number(since));
        filter.until().ifPresent(until -> name(out, start, "until").number(until));
        filter.limit().ifPresent(limit -> name(out, start, "limit").number(limit));
        out.raw('}');
    }

    private static JsonBytes name(JsonBytes out, int start, String name) {
        if (out.size() > start) {
            out.raw(',');
        }
        return out.string(name).raw(':');
    }

    private static <T> void array(JsonBytes out, Collection<T> values, BiConsumer<JsonBytes, T> writer) {
        out.raw('[');
        boolean first = true;
        for (T value : values) {
            if (!first) {
                out.raw(',');
            }
            first = false;
            writer.accept(out, value);
        }
        out.raw(']');
    }
}
