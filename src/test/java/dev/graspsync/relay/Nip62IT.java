package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link Nip62Test} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class Nip62IT extends Nip62Test {}
