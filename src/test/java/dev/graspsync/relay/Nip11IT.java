package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link Nip11Test} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class Nip11IT extends Nip11Test {}
