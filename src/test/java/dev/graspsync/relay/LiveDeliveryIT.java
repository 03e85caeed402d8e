package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link LiveDeliveryTest} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class LiveDeliveryIT extends LiveDeliveryTest {}
