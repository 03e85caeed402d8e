package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.sync.core.RepoAtRelayView;
import dev.graspsync.sync.core.SyncEngine;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.sync.core.SyncSettings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SyncViewTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final RelayUrl RELAY = RelayUrl.parse("wss://relay.one").orElseThrow();
    private static final RepoAddress REPO = new RepoAddress(new PublicKey(1, 2, 3, 4), "repo");

    private final AtomicInteger woken = new AtomicInteger();
    private final SyncView view = new SyncView(woken::incrementAndGet);
    private final SyncEngine engine = new SyncEngine(SyncSettings.DEFAULTS, 1);

    @Test
    void whatChangesIsSeenAboutOnceASecond() {
        view.turn(engine, NOW);
        announce();
        view.turn(engine, NOW.plusMillis(500));
        assertThat(view.relays()).isEmpty();
        view.turn(engine, NOW.plusSeconds(1));
        assertThat(view.relay(RELAY)).isPresent();
        assertThat(view.repo(REPO))
                .hasValueSatisfying(repo -> assertThat(repo.relays()).isEqualTo(1));
        assertThat(view.engine().relays()).isEqualTo(1);
    }

    @Test
    void whatIsUnchangedStaysTheSameObject() {
        announce();
        view.turn(engine, NOW);
        Object before = view.relay(RELAY).orElseThrow();
        view.turn(engine, NOW.plusSeconds(5));
        assertThat(view.relay(RELAY).orElseThrow()).isSameAs(before);
    }

    @Test
    void aQuestionWakesTheEngineAndIsAnsweredBetweenInputs() {
        announce();
        CompletableFuture<List<RepoAtRelayView>> answer = view.relaysOf(REPO).toCompletableFuture();
        assertThat(woken).hasValue(1);
        assertThat(answer).isNotDone();
        view.turn(engine, NOW);
        assertThat(answer)
                .isCompletedWithValueMatching(found -> found.getFirst().relay().equals(RELAY));
    }

    @Test
    void questionsAnEngineHasNoTimeForAreRefusedInsteadOfPiledUp() {
        List<CompletableFuture<List<RepoAtRelayView>>> asked = IntStream.range(0, 100)
                .mapToObj(i -> view.reposAt(RELAY, 10).toCompletableFuture())
                .toList();
        assertThat(asked.stream().filter(CompletableFuture::isCompletedExceptionally))
                .hasSize(100 - 64);
    }

    private void announce() {
        engine.step(new SyncInput.SelfBatch(
                NOW,
                List.of(new SyncInput.Announced(
                        REPO, new EventId(1, 2, 3, 4), 1, List.of(RELAY), List.of(), Optional.empty())),
                List.of(),
                List.of()));
    }
}
