package dev.graspsync.observe;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.RelayTotals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Which label each relay has. Anybody can name relays, so only so many have one of their own, the first that came; the
 * rest share one. A relay keeps its label until it is forgotten: were it to change, counters of both labels would fall
 * or leap. What relays without a label of their own were counted stays in the shared one when they are forgotten.
 */
final class RelayLabels<C> {

    static final String OTHER = "other";

    private final int most;
    private final Function<C, RelayTotals> of;
    private final Map<RelayUrl, C> own = new HashMap<>();
    private final Map<RelayUrl, C> others = new HashMap<>();
    private RelayTotals gone = RelayTotals.NONE;

    /** @param of what was counted, by the object that counts for one relay until it is forgotten */
    RelayLabels(int most, Function<C, RelayTotals> of) {
        this.most = most;
        this.of = of;
    }

    /** Those that are known now. */
    synchronized Labelled label(Map<RelayUrl, C> known) {
        forget(known);
        for (RelayUrl relay : new TreeSet<>(known.keySet())) {
            if (!own.containsKey(relay) && !others.containsKey(relay)) {
                (own.size() < most ? own : others).put(relay, Objects.requireNonNull(known.get(relay)));
            }
        }
        return new Labelled(counted(own), counted(others), gone);
    }

    private Map<RelayUrl, RelayTotals> counted(Map<RelayUrl, C> relays) {
        Map<RelayUrl, RelayTotals> counted = new HashMap<>();
        relays.forEach((relay, counters) -> counted.put(relay, of.apply(counters)));
        return counted;
    }

    /** One that is forgotten and named again is counted from the beginning, and so by another object. */
    private void forget(Map<RelayUrl, C> known) {
        own.entrySet().removeIf(relay -> known.get(relay.getKey()) != relay.getValue());
        List<RelayUrl> left = new ArrayList<>();
        others.forEach((relay, counters) -> {
            if (known.get(relay) != counters) {
                gone = gone.plus(of.apply(counters));
                left.add(relay);
            }
        });
        left.forEach(others::remove);
    }

    /** Relays with their labels, at one moment. */
    record Labelled(Map<RelayUrl, RelayTotals> own, Map<RelayUrl, RelayTotals> others, RelayTotals gone) {

        /** @param together what makes one value of those of the relays that share a label */
        Map<String, Double> values(ToDoubleFunction<RelayUrl> of, DoubleBinaryOperator together) {
            Map<String, Double> values = new TreeMap<>();
            own.keySet().forEach(relay -> values.put(relay.toString(), of.applyAsDouble(relay)));
            others.keySet().stream().mapToDouble(of).reduce(together).ifPresent(value -> values.put(OTHER, value));
            return values;
        }

        /** What only grows. */
        Map<String, Double> totals(ToDoubleFunction<RelayTotals> of) {
            Map<String, Double> values = new TreeMap<>();
            own.forEach((relay, counted) -> values.put(relay.toString(), of.applyAsDouble(counted)));
            RelayTotals rest = others.values().stream().reduce(gone, RelayTotals::plus);
            if (!others.isEmpty() || !gone.equals(RelayTotals.NONE)) {
                values.put(OTHER, of.applyAsDouble(rest));
            }
            return values;
        }
    }
}
