package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link Nip45Test} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class Nip45IT extends Nip45Test {}
