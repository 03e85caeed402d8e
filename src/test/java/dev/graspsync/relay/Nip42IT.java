package dev.graspsync.relay;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** {@link Nip42Test} against what was built. */
@QuarkusIntegrationTest
@Tag("native")
class Nip42IT extends Nip42Test {}
