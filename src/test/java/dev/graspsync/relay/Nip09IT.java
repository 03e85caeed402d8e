package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link Nip09Test} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class Nip09IT extends Nip09Test {}
