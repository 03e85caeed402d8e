package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link Nip77Test} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class Nip77IT extends Nip77Test {}
