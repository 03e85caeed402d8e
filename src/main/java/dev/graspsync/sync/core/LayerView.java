package dev.graspsync.sync.core;

import java.util.Optional;

/** How far one layer is synced from a relay. */
public record LayerView(Layer layer, int items, int confirmed, int pending, Optional<LastOutcome> last) {

    static LayerView of(Layer layer, Count count, Optional<LastOutcome> last) {
        return new LayerView(layer, count.items(), count.confirmed(), count.pending(), last);
    }
}
