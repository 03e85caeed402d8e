package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link Nip67Test} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class Nip67IT extends Nip67Test {}
