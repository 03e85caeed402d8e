package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link BadInputTest} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class BadInputIT extends BadInputTest {}
