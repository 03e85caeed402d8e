package dev.graspsync.wire;

import dev.graspsync.nostr.RelayMessage;
import java.util.Locale;

/** Writes what relays send, as UTF-8 JSON. */
public final class RelayMessageWriter {

    private static final int FRAME = 128;

    private RelayMessageWriter() {}

    public static byte[] write(RelayMessage message) {
        return switch (message) {
            case RelayMessage.Event(String subscription, var event) ->
                event(eventStart(subscription), EventJson.write(event));
            case RelayMessage.Eose eose -> eose(eose);
            case RelayMessage.Ok(var id, boolean accepted, String text) ->
                start("OK")
                        .raw('"')
                        .hex(id.a())
                        .hex(id.b())
                        .hex(id.c())
                        .hex(id.d())
                        .raw(accepted ? "\",true," : "\",false,")
                        .string(text)
                        .raw(']')
                        .toBytes();
            case RelayMessage.Closed(String subscription, String text) ->
                start("CLOSED")
                        .string(subscription)
                        .raw(',')
                        .string(text)
                        .raw(']')
                        .toBytes();
            case RelayMessage.Notice(String text) ->
                start("NOTICE").string(text).raw(']').toBytes();
            case RelayMessage.Count(String subscription, long count, boolean approximate) ->
                start("COUNT")
                        .string(subscription)
                        .raw(",{\"count\":")
                        .number(count)
                        .raw(approximate ? ",\"approximate\":true}]" : "}]")
                        .toBytes();
            case RelayMessage.Auth(String challenge) ->
                start("AUTH").string(challenge).raw(']').toBytes();
            case RelayMessage.NegMsg(String session, var payload) ->
                start("NEG-MSG")
                        .string(session)
                        .raw(',')
                        .string(payload.hex())
                        .raw(']')
                        .toBytes();
            case RelayMessage.NegErr(String session, String reason, var cap) -> {
                JsonBytes out = start("NEG-ERR").string(session).raw(',').string(reason);
                cap.ifPresent(most -> out.raw(',').number(most));
                yield out.raw(']').toBytes();
            }
        };
    }

    /** What all EVENT messages of a subscription start with. */
    public static byte[] eventStart(String subscriptionId) {
        return start("EVENT").string(subscriptionId).raw(',').toBytes();
    }

    /** An event already written as JSON, put into its message as it is. */
    public static byte[] event(byte[] eventStart, byte[] eventJson) {
        return new JsonBytes(eventStart.length + eventJson.length + 1)
                .raw(eventStart)
                .raw(eventJson)
                .raw(']')
                .toBytes();
    }

    private static byte[] eose(RelayMessage.Eose eose) {
        JsonBytes out = start("EOSE").string(eose.subscriptionId());
        if (eose.hint() != RelayMessage.Hint.NONE) {
            out.raw(",[").string(eose.hint().name().toLowerCase(Locale.ROOT)).raw(']');
        }
        return out.raw(']').toBytes();
    }

    private static JsonBytes start(String type) {
        return new JsonBytes(FRAME).raw('[').string(type).raw(',');
    }
}
