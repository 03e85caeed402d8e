package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link Nip70Test} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class Nip70IT extends Nip70Test {}
