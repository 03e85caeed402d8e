package dev.graspsync.wire;

import java.util.List;

/** A JSON object, written field by field: for documents, where messages have writers of their own. */
public final class JsonObject {

    private final JsonBytes out = new JsonBytes(512).raw('{');
    private boolean empty = true;

    private JsonBytes name(String name) {
        if (!empty) {
            out.raw(',');
        }
        empty = false;
        return out.string(name).raw(':');
    }

    public JsonObject with(String name, String value) {
        name(name).string(value);
        return this;
    }

    public JsonObject with(String name, long value) {
        name(name).number(value);
        return this;
    }

    public JsonObject with(String name, boolean value) {
        name(name).raw(value ? "true" : "false");
        return this;
    }

    public JsonObject with(String name, JsonObject value) {
        name(name).raw(value.toBytes());
        return this;
    }

    public JsonObject withNumbers(String name, List<Integer> values) {
        name(name).raw('[');
        for (int i = 0; i < values.size(); i++) {
            out.raw(i == 0 ? "" : ",").number(values.get(i));
        }
        out.raw(']');
        return this;
    }

    public JsonObject withStrings(String name, List<String> values) {
        name(name).raw('[');
        for (int i = 0; i < values.size(); i++) {
            out.raw(i == 0 ? "" : ",").string(values.get(i));
        }
        out.raw(']');
        return this;
    }

    /** The finished object, as UTF-8; nothing is added after it. */
    public byte[] toBytes() {
        return out.raw('}').toBytes();
    }
}
