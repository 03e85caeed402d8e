package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.Event;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One service, and twenty relays of which half are hostile. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ManyRelaysIT extends SyncFixture {

    private static final int GOOD = 10;

    private final int port = ServiceProcess.freePort();

    private RawRelay relay(RawRelay.Script script) {
        return closeLater(new RawRelay(script));
    }

    private static List<Event> events(Corpus corpus) {
        return corpus.items().stream().map(Corpus.Item::event).toList();
    }

    @Test
    void whatGoodRelaysHaveArrivesAndHostileOnesDoNoHarm() throws Exception {
        Corpus foreign = Corpus.generate(41, 1, 30, 0, "elsewhere.example");
        // What is served is known only after the ports are, so the relays are asked for it when they have opened.
        List<Event> served = new ArrayList<>();
        Map<String, RawRelay> hostile = new LinkedHashMap<>();
        hostile.put("drops at once", relay(ScriptedRelays.dropsAtOnce()));
        hostile.put("drops after the upgrade", relay(ScriptedRelays.dropsAfterTheUpgrade()));
        hostile.put("never answers", relay(ScriptedRelays.neverAnswers()));
        hostile.put("never ends", relay(ScriptedRelays.neverEnds()));
        hostile.put("sends garbage", relay(ScriptedRelays.sendsGarbage()));
        hostile.put("sends oversize", relay(ScriptedRelays.sendsOversize()));
        hostile.put("floods", relay(ScriptedRelays.floods(events(foreign), 200)));
        hostile.put("floods, too", relay(ScriptedRelays.floods(events(foreign), 200)));
        hostile.put("closes everything", relay(ScriptedRelays.closesEverything()));
        List<List<Event>> shares = new ArrayList<>();
        List<RawRelay> good = new ArrayList<>();
        for (int i = 0; i < GOOD; i++) {
            List<Event> share = new ArrayList<>();
            shares.add(share);
            good.add(relay((client, request) -> ScriptedRelays.good(share).run(client, request)));
        }
        RawRelay forger =
                relay((client, request) -> ScriptedRelays.forger(served).run(client, request));
        hostile.put("forges", forger);
        String[] bad =
                hostile.values().stream().map(relay -> relay.url().toString()).toArray(String[]::new);
        List<Corpus.Item> announcements = new ArrayList<>();
        List<Corpus> corpora = new ArrayList<>();
        for (int i = 0; i < GOOD; i++) {
            String own = good.get(i).url().toString();
            String[] named = Stream.concat(Stream.of(bad), Stream.of(own)).toArray(String[]::new);
            Corpus corpus = Corpus.generate(50 + i, 2, 25, 0, Corpus.Places.local(List.of(port), named));
            corpora.add(corpus);
            announcements.addAll(only(corpus, SyncFixture::isAnnouncement));
            shares.get(i).addAll(events(corpus));
            served.addAll(events(corpus));
        }
        ServiceProcess service = service(port);

        publish(port, announcements);
        for (Corpus corpus : corpora) {
            awaitAll(port, corpus.acceptedIds());
        }

        assertThat(hostile).hasSize(20 - GOOD);
        hostile.forEach((what, relay) -> assertThat(relay.requests)
                .as("connections to the one that %s", what)
                .isNotEmpty());
        assertThat(Load.ids(port)).doesNotContainAnyElementsOf(foreign.acceptedIds());
        assertThat(health(service)).contains("\"UP\"").doesNotContain("DOWN");
        Corpus more = Corpus.generate(70, 1, 10, 0, Corpus.Places.local(List.of(port)));
        publish(port, more.items());
        assertThat(Load.ids(port)).containsAll(more.acceptedIds());
        awaitLog(service, "too many events that nobody asked for");
        assertThat(service.log())
                .contains("Relay " + hostile.get("drops at once").url() + " failed")
                .contains("Relay " + hostile.get("drops after the upgrade").url() + " failed")
                .contains("Relay " + hostile.get("sends oversize").url() + " failed")
                .doesNotContain("please report", "OutOfMemory", "Exception");
    }

    @Test
    void privateAddressesAreRefusedAndTheLogSaysWhy() throws Exception {
        RawRelay nearby = relay(ScriptedRelays.good(List.of()));
        Map<String, String> refused = Map.of(
                "ws://10.0.0.1",
                "10.0.0.1 is a private address",
                "ws://169.254.169.254",
                "169.254.169.254 is a cloud metadata address",
                nearby.url().toString(),
                "127.0.0.1 is a loopback address");
        ServiceProcess service = service(port, "-Dgrasp.sync.allow-private-targets=false");
        Corpus corpus = Corpus.generate(
                80, 1, 3, 0, Corpus.Places.local(List.of(port), refused.keySet().toArray(String[]::new)));

        publish(port, corpus.items());

        refused.forEach((url, why) -> awaitLog(service, "Relay " + url + " failed (1 in a row): not dialled: " + why));
        assertThat(nearby.requests).isEmpty();
    }

    private static String health(ServiceProcess service) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI health = URI.create("http://127.0.0.1:" + service.managementPort() + "/q/health");
            HttpRequest request = HttpRequest.newBuilder(health)
                    .timeout(Duration.ofSeconds(20))
                    .build();
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            return response.body();
        }
    }
}
