package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link Nip40Test} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class Nip40IT extends Nip40Test {}
