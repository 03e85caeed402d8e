package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link Nip01Test} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class Nip01IT extends Nip01Test {}
