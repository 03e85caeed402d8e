package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.process.Certificates;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import io.restassured.RestAssured;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relays behind TLS. The platform trusts no authority of a test, so the one that signed is named in some way. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SecureRelayIT extends SyncFixture {

    private final int port = ServiceProcess.freePort();
    private final int secure = ServiceProcess.freePort();
    private final int sink = ServiceProcess.freePort();

    private final String bootstrap = "-Dgrasp.sync.bootstrap-relays=wss://";

    private ServiceProcess source(Certificates certificates) throws Exception {
        return service(
                port,
                "-Dgrasp.sync.enabled=false",
                "-Dquarkus.http.ssl-port=" + secure,
                "-Dquarkus.http.ssl.certificate.key-store-file=" + certificates.keys(),
                "-Dquarkus.http.ssl.certificate.key-store-password=" + Certificates.PASSWORD);
    }

    /** Until the status API, which follows the log a moment later, says this of the one relay there is. */
    private static void awaitReason(ServiceProcess service, String... words) {
        await().untilAsserted(() -> assertThat(RestAssured.get("http://127.0.0.1:" + service.port() + "/api/relays")
                        .jsonPath()
                        .getString("relays[0].why"))
                .containsIgnoringCase(words[0])
                .containsIgnoringCase(words[words.length - 1]));
    }

    @Test
    void aRelayWithAValidCertificateIsSyncedFromAndOthersAreRefusedAndShown() throws Exception {
        Certificates certificates = Certificates.create(folder);
        Corpus corpus = Corpus.generate(13, 5, 10, 0, Corpus.Places.local(List.of(port, sink)));
        source(certificates);
        publish(port, corpus.items());
        String trust = "-Dgrasp.sync.trust=" + certificates.authority();

        ServiceProcess trusting = service(sink, trust, bootstrap + "localhost:" + secure);
        awaitAll(sink, corpus.acceptedIds());
        awaitLog(trusting, "wss://localhost:" + secure + " is synced");

        ServiceProcess stranger = service(ServiceProcess.freePort(), bootstrap + "localhost:" + secure);
        awaitLog(stranger, "certificate not trusted");
        // The authority is trusted, but it vouches for another name.
        ServiceProcess misled = service(ServiceProcess.freePort(), trust, bootstrap + "127.0.0.1:" + secure);
        awaitLog(misled, "certificate not trusted");
        assertThat(Load.count(stranger.port())).isZero();
        assertThat(Load.count(misled.port())).isZero();
        awaitReason(stranger, "certificate not trusted");
        awaitReason(misled, "certificate not trusted");
    }

    @Test
    void aCertificateThatHasExpiredIsRefusedAndShown() throws Exception {
        Certificates certificates = Certificates.createExpired(folder);
        Corpus corpus = Corpus.generate(13, 1, 2, 0, Corpus.Places.local(List.of(port, sink)));
        source(certificates);
        publish(port, corpus.items());

        ServiceProcess service =
                service(sink, "-Dgrasp.sync.trust=" + certificates.authority(), bootstrap + "localhost:" + secure);

        awaitLog(service, "certificate not trusted");
        awaitReason(service, "certificate not trusted", "expired");
        assertThat(Load.count(sink)).isZero();
    }

    @Test
    void theTrustStoreOfThePlatformCanBeReplaced() throws Exception {
        Certificates certificates = Certificates.create(folder);
        Corpus corpus = Corpus.generate(13, 5, 10, 0, Corpus.Places.local(List.of(port, sink)));
        source(certificates);
        publish(port, corpus.items());

        service(
                sink,
                "-Djavax.net.ssl.trustStore=" + certificates.trust(),
                "-Djavax.net.ssl.trustStoreType=PKCS12",
                "-Djavax.net.ssl.trustStorePassword=" + Certificates.PASSWORD,
                bootstrap + "localhost:" + secure);

        awaitAll(sink, corpus.acceptedIds());
    }
}
