package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Certificates;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relays behind TLS. The platform trusts no authority of a test, so the one that signed is configured. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SecureRelayIT extends SyncFixture {

    private final int port = ServiceProcess.freePort();
    private final int secure = ServiceProcess.freePort();
    private final int sink = ServiceProcess.freePort();

    @Test
    void aRelayWithAValidCertificateIsSyncedFromAndOthersAreRefusedAndShown() throws Exception {
        Certificates certificates = Certificates.create(folder);
        Corpus corpus = Corpus.generate(13, 5, 10, 0, Corpus.Places.local(List.of(port, sink)));
        service(
                port,
                "-Dgrasp.sync.enabled=false",
                "-Dquarkus.http.ssl-port=" + secure,
                "-Dquarkus.http.ssl.certificate.key-store-file=" + certificates.keys(),
                "-Dquarkus.http.ssl.certificate.key-store-password=" + Certificates.PASSWORD);
        publish(port, corpus.items());
        String trust = "-Dgrasp.sync.trust=" + certificates.authority();
        String bootstrap = "-Dgrasp.sync.bootstrap-relays=wss://";

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
    }
}
