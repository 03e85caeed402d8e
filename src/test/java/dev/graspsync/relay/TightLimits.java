package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/** Limits that a test reaches quickly. */
public final class TightLimits implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "grasp.relay.reader-timeout", "1s",
                "grasp.relay.ping-interval", "500ms",
                "grasp.relay.max-connections", "10",
                "grasp.relay.max-limit", "100",
                "grasp.relay.created-at-lower-limit", "18000d");
    }
}
