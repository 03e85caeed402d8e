package dev.graspsync.observe;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** What an operator sets about the metrics. */
@ConfigMapping(prefix = "grasp.metrics")
public interface MetricsConfig {

    /** Relays that have a label of their own, the first by name; the rest are summed up as {@code other}. */
    @WithName("max-relay-labels")
    @WithDefault("200")
    int maxRelayLabels();
}
