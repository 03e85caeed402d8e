package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.nostr.Kind;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.NegentropyRelay;
import dev.graspsync.process.ServiceProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service and a relay that compares by nostr-tools (NIP-77), whose counts tell how history came. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class NegentropyRelayIT extends SyncFixture {

    /** It is dialled in vain until it runs, and starts again to be compared with, not merely to catch up. */
    private static final String[] IMPATIENT = {
        "-Dgrasp.sync.quick-reconnect-window=1ms", "-Dgrasp.sync.backoff.max=500ms"
    };

    private static final String PUSH = "-Dgrasp.sync.push=true";
    private static final String FOUND_THERE = "negentropy_ids_total\\{side=\"relay\",?}";
    private static final String FOUND_HERE = "negentropy_ids_total\\{side=\"here\",?}";
    /** One in so many replies is missing. */
    private static final int MISSING = 50;

    private final int port = ServiceProcess.freePort();
    private final int relayPort = ServiceProcess.freePort();
    private final String relayUrl = "ws://127.0.0.1:" + relayPort;
    private final Corpus.Places places = Corpus.Places.local(List.of(port), relayUrl);

    @BeforeAll
    static void install() throws Exception {
        NegentropyRelay.assumeInstalled();
    }

    @ParameterizedTest(name = "frames of {0}")
    @ValueSource(ints = {4_096, 60_000})
    void whatEitherSideLacksIsTransferredAndTheSecondPassTransfersNothing(int frameLimit) throws Exception {
        Corpus corpus = Corpus.generate(770, 40, 40, 0, places);
        List<Corpus.Item> here = lackingReplies(corpus, 0);
        List<Corpus.Item> there = lackingReplies(corpus, 1);
        ServiceProcess service = serviceWith(corpus, here, PUSH);

        NegentropyRelay relay = relay(frameLimit, there);

        awaitSynced(service, relay.url(), corpus);
        awaitEqual(relay, corpus.acceptedIds());
        Set<String> missing = corpus.acceptedIds();
        missing.removeAll(ids(here));
        assertFetchedById(service, relay, missing);
        assertThat(relay.brought("history")).doesNotContainAnyElementsOf(missing);
        assertThat(relay.count("published")).isEqualTo(corpus.size() - there.size());
        assertFramesWithin(relay, frameLimit);
        assertSecondPassTransfersNothing(service, relay, corpus);
    }

    @ParameterizedTest(name = "frames of {0}")
    @ValueSource(ints = {4_096, 60_000})
    void ofDisjointSetsOneIsFetchedByIdAndTheOtherIsPublished(int frameLimit) throws Exception {
        Corpus ours = Corpus.generate(771, 10, 40, 0, places);
        Corpus theirs = Corpus.generate(772, 10, 40, 0, places);
        ServiceProcess service = serviceWith(ours, ours.items());

        NegentropyRelay relay = relay(frameLimit, theirs.items());

        awaitSynced(service, relay.url(), ours, theirs);
        awaitAll(port, theirs.acceptedIds());
        assertThat(relay.ids()).isEqualTo(theirs.acceptedIds());
        assertFetchedById(service, relay, theirs.acceptedIds());
        assertFramesWithin(relay, frameLimit);

        // Whose repository it is tells the relay of it; the service publishes what is about it.
        publish(relayPort, only(ours, item -> !isRoot(item) && !isReply(item)));
        service.stop();
        awaitSynced(service(port, impatient(PUSH)), relay.url(), ours, theirs);

        Set<String> all = new HashSet<>(ours.acceptedIds());
        all.addAll(theirs.acceptedIds());
        awaitEqual(relay, all);
    }

    @Test
    void whatIsIdenticalIsConfirmedByOneMessageAndItsAnswer() throws Exception {
        Corpus corpus = Corpus.generate(773, 20, 40, 0, places);
        ServiceProcess service = serviceWith(corpus, corpus.items());

        NegentropyRelay relay = relay(60_000, corpus.items());

        awaitSynced(service, relay.url(), corpus);
        assertThat(metric(service, "negentropy_rounds_total")).isEqualTo(1);
        assertThat(relay.count("rounds")).isEqualTo(1);
        assertThat(relay.count("byId")).isZero();
        assertThat(relay.count("history")).isZero();
    }

    @Test
    void whoHasNothingGetsAll() throws Exception {
        Corpus corpus = Corpus.generate(774, 20, 40, 0, places);
        NegentropyRelay relay = relay(4_096, corpus.items());

        ServiceProcess service = service(port, impatient("-Dgrasp.sync.bootstrap-relays=" + relayUrl));

        awaitSynced(service, relay.url(), corpus);
        awaitEqual(relay, corpus.acceptedIds());
    }

    /** One that has something, and has read what it has, before there is anybody to compare with. */
    private ServiceProcess serviceWith(Corpus corpus, List<Corpus.Item> items, String... properties) throws Exception {
        ServiceProcess service = service(port, impatient(properties));
        publish(port, items);
        awaitWanted(service, relayUrl, corpus);
        return service;
    }

    private static String[] impatient(String... properties) {
        return Stream.concat(Stream.of(IMPATIENT), Stream.of(properties)).toArray(String[]::new);
    }

    private NegentropyRelay relay(int frameLimit, List<Corpus.Item> items) throws IOException {
        return closeLater(NegentropyRelay.start(relayPort, frameLimit, items, folder.resolve("relay.jsonl")));
    }

    /** Without a few replies; never the same for another number below {@link #MISSING}. */
    private static List<Corpus.Item> lackingReplies(Corpus corpus, int number) {
        Set<String> missing = new HashSet<>();
        List<Corpus.Item> replies = only(corpus, SyncFixture::isReply);
        for (int i = number; i < replies.size(); i += MISSING) {
            missing.add(replies.get(i).event().id().hex());
        }
        return only(corpus, item -> !missing.contains(item.event().id().hex()));
    }

    private static Set<String> ids(List<Corpus.Item> items) {
        return items.stream().map(item -> item.event().id().hex()).collect(Collectors.toSet());
    }

    private void awaitEqual(NegentropyRelay relay, Set<String> all) throws IOException {
        awaitAll(port, all);
        await("the relay has all")
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(relay.ids()).isEqualTo(all));
        assertThat(Load.count(port)).isEqualTo(all.size());
    }

    /** Opening live subscriptions brings a few events, too: the newest of each filter. */
    private static void assertFetchedById(ServiceProcess service, NegentropyRelay relay, Set<String> missing) {
        Set<String> rest = new HashSet<>(missing);
        relay.brought("live").forEach(rest::remove);
        assertThat(rest).isNotEmpty();
        assertThat(relay.brought("byId")).containsAll(rest);
        assertThat(metric(service, FOUND_THERE)).isGreaterThanOrEqualTo(rest.size());
        assertThat(metric(service, "negentropy_sessions_total")).isEqualTo(relay.count("comparisons"));
        assertThat(metric(service, "negentropy_rounds_total")).isEqualTo(relay.count("rounds"));
    }

    private static void assertFramesWithin(NegentropyRelay relay, int frameLimit) {
        assertThat(relay.count("longestIn")).isLessThanOrEqualTo(frameLimit);
        assertThat(relay.count("longestOut")).isLessThanOrEqualTo(frameLimit);
    }

    /** But for what announcements name by its address, their states: that is asked for by filter, whatever is here. */
    private static void assertSecondPassTransfersNothing(ServiceProcess service, NegentropyRelay relay, Corpus corpus)
            throws Exception {
        service.stop();
        int comparisons = relay.count("comparisons");
        int published = relay.count("published");
        int byId = relay.brought("byId").size();
        int history = relay.brought("history").size();

        service.startAgain();
        awaitSynced(service, relay.url(), corpus);
        await().until(() -> metric(service, "negentropy_sessions_total") > 0);

        assertThat(relay.count("comparisons")).isGreaterThan(comparisons);
        assertThat(metric(service, FOUND_THERE)).isZero();
        assertThat(metric(service, FOUND_HERE)).isZero();
        assertThat(relay.count("published")).isEqualTo(published);
        assertThat(relay.brought("byId")).hasSize(byId);
        List<String> again = relay.brought("history");
        assertThat(ids(only(corpus, item -> item.event().kind() == Kind.REPO_STATE)))
                .containsAll(again.subList(history, again.size()));
    }
}
