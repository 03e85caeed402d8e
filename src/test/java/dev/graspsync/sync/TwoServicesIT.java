package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two services that announcements name. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TwoServicesIT extends SyncFixture {

    private static final String SMALL_PAGES = "-Dgrasp.relay.max-limit=100";

    private final int one = ServiceProcess.freePort();
    private final int other = ServiceProcess.freePort();

    private Corpus corpus(int repositories, int rootsEach) {
        return Corpus.generate(11, repositories, rootsEach, 0, Corpus.Places.local(List.of(one, other)));
    }

    @Test
    void whatIsPublishedAtOneIsAtTheOtherLive() throws Exception {
        ServiceProcess first = service(one);
        ServiceProcess second = service(other);
        Corpus corpus = corpus(4, 10);
        List<Corpus.Item> announcements = only(corpus, SyncFixture::isAnnouncement);
        publish(one, announcements);
        publish(other, announcements);
        awaitLog(first, "Relay " + second.relayUrl() + " is synced");
        awaitLog(second, "Relay " + first.relayUrl() + " is synced");

        publish(one, only(corpus, SyncFixture::isRoot));
        awaitAll(other, ids(only(corpus, SyncFixture::isRoot)));
        publish(other, only(corpus, item -> !isRoot(item) && !isAnnouncement(item)));
        awaitAll(one, corpus.acceptedIds());

        assertThat(first.log()).doesNotContain("Sync gap", "ERROR");
        assertThat(second.log()).doesNotContain("Sync gap", "ERROR");
    }

    @Test
    void killingEitherSideInTheMiddleLosesNothing() throws Exception {
        Corpus corpus = corpus(100, 50);
        ServiceProcess source = service(one, SMALL_PAGES, "-Dgrasp.sync.enabled=false");
        publish(one, corpus.items());
        ServiceProcess sink = service(other, "-Dgrasp.sync.bootstrap-relays=" + source.relayUrl());

        awaitCount(sink, corpus.size() / 10);
        sink.kill();
        sink.startAgain();
        long kept = Load.count(other);
        assertThat(kept).as("killed in the middle").isBetween(1L, corpus.size() - 1L);

        awaitCount(sink, Math.max(kept + 1, corpus.size() / 3));
        source.kill();
        assertThat(Load.count(other)).as("killed in the middle").isLessThan(corpus.size());
        source.startAgain();

        awaitAll(other, corpus.acceptedIds());
        assertThat(Load.ids(one)).isEqualTo(corpus.acceptedIds());
    }

    @Test
    void aStopInTheMiddleSavesTheStateAndLosesNothing() throws Exception {
        Corpus corpus = corpus(60, 50);
        ServiceProcess source = service(one, SMALL_PAGES, "-Dgrasp.sync.enabled=false");
        publish(one, corpus.items());
        ServiceProcess sink = service(other, "-Dgrasp.sync.bootstrap-relays=" + source.relayUrl());
        awaitCount(sink, corpus.size() / 5);

        ServiceProcess.Stopped stopped = sink.stop();

        assertThat(stopped.exitCode()).as(sink.log()).isEqualTo(143);
        assertThat(stopped.time()).as(sink.log()).isLessThan(Duration.ofSeconds(5));
        assertThat(sink.log()).contains("The state of the sync is saved").doesNotContain("ERROR", "in the middle of");
        sink.startAgain();
        awaitAll(other, corpus.acceptedIds());
    }

    private static Set<String> ids(List<Corpus.Item> items) {
        return new Corpus(items, List.of(), List.of()).acceptedIds();
    }
}
