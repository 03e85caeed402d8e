package dev.graspsync.wire;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Reads a relay's NIP-11 document, of which only the limits matter here. Such documents are written by hand and by many
 * programs: what is not understood is passed over. Never throws, whatever the bytes.
 */
public final class RelayInformationReader {

    private RelayInformationReader() {}

    public static RelayLimitation read(byte[] buf, int off, int len) {
        try (JsonInput in = JsonInput.openObject(buf, off, len)) {
            Map<String, Integer> limits = new HashMap<>();
            while (in.hasField()) {
                boolean wanted = in.fieldName().equals("limitation");
                if (in.next() == JsonToken.START_OBJECT && wanted) {
                    limits(in, limits);
                } else {
                    in.skip();
                }
            }
            return new RelayLimitation(
                    limit(limits, "max_limit"),
                    limit(limits, "max_subscriptions"),
                    limit(limits, "max_message_length"),
                    // Not in NIP-11, yet several relays state it.
                    limit(limits, "max_filters"));
        } catch (IOException | MalformedException e) {
            return RelayLimitation.NONE;
        }
    }

    private static void limits(JsonInput in, Map<String, Integer> limits) throws IOException, MalformedException {
        while (in.hasField()) {
            String name = in.fieldName();
            if (in.next() == JsonToken.VALUE_NUMBER_INT) {
                put(in, limits, name);
            } else {
                in.skip();
            }
        }
    }

    /** A limit of 0 or less would leave nothing to ask: it is a mistake, or says that there is none. */
    private static void put(JsonInput in, Map<String, Integer> limits, String name) throws IOException {
        try {
            long value = in.currentInteger(name, Long.MAX_VALUE);
            if (value > 0) {
                limits.put(name, (int) Math.min(value, Integer.MAX_VALUE));
            }
        } catch (MalformedException e) {
            limits.remove(name);
        }
    }

    private static OptionalInt limit(Map<String, Integer> limits, String name) {
        Integer value = limits.get(name);
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }
}
