package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link ConnectionTest} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class ConnectionIT extends ConnectionTest {

    /** Its counters are in another process. */
    @Override
    boolean isInProcess() {
        return false;
    }
}
