package dev.graspsync.observe;

import dev.graspsync.nostr.RelayUrl;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;

/** Which label each relay has. Anybody can name relays, so only so many have one of their own; the rest share one. */
record RelayLabels(SortedSet<RelayUrl> relays, int most) {

    static final String OTHER = "other";

    /** @param together what makes one value of those of the relays that share a label */
    Map<String, Double> values(ToDoubleFunction<RelayUrl> of, DoubleBinaryOperator together) {
        Map<String, Double> values = new TreeMap<>();
        int number = 0;
        for (RelayUrl relay : relays) {
            String label = number++ < most ? relay.toString() : OTHER;
            values.merge(label, of.applyAsDouble(relay), together::applyAsDouble);
        }
        return values;
    }
}
