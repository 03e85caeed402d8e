package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.NpmRelay;
import dev.graspsync.process.ServiceProcess;
import io.restassured.RestAssured;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The service and a relay that others wrote. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class NpmRelayIT extends SyncFixture {

    private static final int CAP = 500;

    private final int npmPort = ServiceProcess.freePort();
    private final int port = ServiceProcess.freePort();

    @BeforeAll
    static void install() throws Exception {
        NpmRelay.assumeInstalled();
    }

    private NpmRelay npmRelay() throws Exception {
        return closeLater(NpmRelay.start(npmPort, CAP, folder.resolve("npm-relay.jsonl")));
    }

    @Test
    void aHistoryOfTenThousandEventsArrivesAlthoughTheRelayCapsAtFiveHundredAndThenWhatIsLive() throws Exception {
        NpmRelay npm = npmRelay();
        Corpus history = Corpus.generate(21, 100, 50, 0, Corpus.Places.local(List.of(port), npm.url()));
        assertThat(history.size()).isGreaterThan(10_000);
        publish(npmPort, history.items());
        ServiceProcess service = service(port);

        publish(port, only(history, SyncFixture::isAnnouncement));
        awaitAll(port, history.acceptedIds());

        awaitLog(service, "Relay " + npm.url() + " is synced");
        Corpus live = Corpus.generate(22, 3, 20, 0, Corpus.Places.local(List.of(port), npm.url()));
        publish(npmPort, live.items());
        awaitAll(port, live.acceptedIds());
        assertThat(service.log()).doesNotContain("ERROR");
    }

    @Test
    void aSidecarPublishesToItsOwnRelayWhatOthersHaveAlsoWhatCameWhileItWasDown() throws Exception {
        NpmRelay own = npmRelay();
        int elsewhere = ServiceProcess.freePort();
        Corpus.Places places = Corpus.Places.local(List.of(npmPort, elsewhere));
        Corpus before = Corpus.generate(31, 5, 20, 0, places);
        Corpus meanwhile = Corpus.generate(32, 5, 20, 0, places);
        service(elsewhere, "-Dgrasp.sync.enabled=false");
        publish(npmPort, only(before, SyncFixture::isAnnouncement));
        publish(elsewhere, before.items());

        ServiceProcess sidecar =
                service(port, "-Dgrasp.domain=127.0.0.1:" + npmPort, "-Dgrasp.own-relay.url=" + own.url());
        awaitAll(npmPort, before.acceptedIds());
        awaitReadiness(sidecar, 200);

        own.kill();
        awaitReadiness(sidecar, 503);
        publish(elsewhere, meanwhile.items());
        awaitAll(port, meanwhile.acceptedIds());
        own.startAgain();
        awaitAll(npmPort, meanwhile.acceptedIds());
        assertThat(Load.ids(npmPort)).containsAll(before.acceptedIds());
        awaitReadiness(sidecar, 200);
    }

    private static void awaitReadiness(ServiceProcess service, int status) {
        String url = "http://127.0.0.1:" + service.managementPort() + "/q/health/ready";
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> RestAssured.get(url).then().statusCode(status));
    }
}
