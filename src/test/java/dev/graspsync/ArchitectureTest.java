package dev.graspsync;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** Who may know whom: docs/architecture.md's table, held by the build. */
class ArchitectureTest {

    private static final String ROOT = "dev.graspsync.";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.graspsync");

    @Test
    void nostrKnowsNoOtherPackageOfOurs() {
        check(mayNotKnow("nostr", "wire", "negentropy", "store", "relay", "sync", "observe"));
    }

    @Test
    void nostrKnowsTheJdkAndTheSignatureLibraryOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + "nostr..")
                .and()
                .haveSimpleNameNotContaining("Secp256k1")
                .and()
                .haveSimpleNameNotContaining("Verifier")
                .and()
                .haveSimpleNameNotContaining("Signer")
                .and()
                .haveSimpleNameNotContaining("RelayUrl")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "org.jspecify..", ROOT + "nostr.."));
    }

    @Test
    void wireKnowsNostrOnly() {
        check(mayNotKnow("wire", "negentropy", "store", "relay", "sync", "observe"));
    }

    @Test
    void wireAloneUsesJackson() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "wire..", ROOT + "observe..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml.jackson.."));
    }

    @Test
    void negentropyKnowsTheJdkOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + "negentropy..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "org.jspecify..", ROOT + "negentropy.."));
    }

    @Test
    void storeKnowsNostrOnly() {
        check(mayNotKnow("store", "wire", "negentropy", "relay", "sync", "observe"));
    }

    @Test
    void relayNeverKnowsSync() {
        check(mayNotKnow("relay", "sync", "observe"));
    }

    @Test
    void theSyncCoreKnowsNostrAndTheJdkOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + "sync.core..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "org.jspecify..", ROOT + "nostr..", ROOT + "sync.core.."));
    }

    /** So that years of it are a unit test that happens the same way every time. */
    @Test
    void theSyncCoreHasNoClockNoThreadsAndNoChance() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + "sync.core..")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(
                        Clock.class,
                        Thread.class,
                        Random.class,
                        SecureRandom.class,
                        ThreadLocalRandom.class,
                        UUID.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.util.concurrent..", "java.io..", "java.net..", "java.nio.file..", "java.nio.channels.."));
    }

    @Test
    void webSocketsAreKnownToTheEndpointAndTheConnectionOnly() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "relay..", ROOT + "sync")
                .should()
                .dependOnClassesThat()
                .haveSimpleNameContaining("WebSocket")
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "jakarta.websocket.."));
    }

    @Test
    void nobodyKnowsObserve() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "observe..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "observe.."));
    }

    @Test
    void persistenceStaysInTheStore() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "store..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.h2..", "jakarta.persistence..", "org.hibernate.."));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("dev.graspsync.(**)").should().beFreeOfCycles());
    }

    private static ArchRule mayNotKnow(String who, String... whom) {
        String[] packages =
                java.util.Arrays.stream(whom).map(name -> ROOT + name + "..").toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(ROOT + who + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages);
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }
}
