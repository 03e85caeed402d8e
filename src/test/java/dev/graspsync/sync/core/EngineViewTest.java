package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.OTHER;
import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.id;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static dev.graspsync.sync.core.EngineScenario.repo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.RelayView.Connection;
import dev.graspsync.sync.core.RelayView.Phase;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What observers see of the engine. */
class EngineViewTest {

    private final EngineScenario scenario = new EngineScenario();
    private final Map<RelayUrl, RelayView> seen = new HashMap<>();

    @Test
    void aRelayIsSeenFromItsFirstNamingToItsSync() {
        scenario.announce(1, 10, RELAY).roots(1, 1, 2, 3);
        RelayView named = look(RELAY);
        assertThat(named.connection()).isEqualTo(Connection.CONNECTING);
        assertThat(named.phase()).isEqualTo(Phase.UNREACHABLE);
        assertThat(named.items()).isEqualTo(5);

        scenario.open(RELAY);
        assertThat(look(RELAY).phase()).isEqualTo(Phase.SYNCING);
        assertThat(look(RELAY).since()).isEqualTo(scenario.now());

        scenario.drain(RELAY);
        RelayView synced = look(RELAY);
        assertThat(synced.phase()).isEqualTo(Phase.SYNCED);
        assertThat(synced.confirmed()).isEqualTo(5);
        assertThat(synced.repositories()).isEqualTo(1);
        assertThat(synced.layers().stream().map(LayerView::items)).containsExactly(1, 1, 3, 0);
        assertThat(synced.layers().stream().map(layer -> layer.last().map(LastOutcome::word)))
                .containsExactly(
                        Optional.of("drained"), Optional.of("drained"), Optional.of("drained"), Optional.empty());
    }

    @Test
    void referencesAreALayerOfTheirOwn() {
        SyncInput.Rooted root = new SyncInput.Rooted(
                id(1), List.of(repo(1)), List.of(new Reference.ById(id(77)), new Reference.ById(id(78))));
        scenario.announce(1, 10, RELAY)
                .give(new SyncInput.SelfBatch(scenario.now(), List.of(), List.of(root), List.of()));
        scenario.open(RELAY).drain(RELAY);
        assertThat(look(RELAY).layers().stream().map(LayerView::confirmed)).containsExactly(1, 1, 1, 2);
    }

    @Test
    void itemsInFlightAreSeenAsPending() {
        scenario.announce(1, 10, RELAY).roots(1, 1, 2).open(RELAY);
        List<LayerView> layers = look(RELAY).layers();
        assertThat(layers.get(0).pending()).isEqualTo(1);
        assertThat(layers.stream().map(LayerView::confirmed)).containsOnly(0);
    }

    @Test
    void aRefusalIsSeenWithItsReasonAndAgainAsSolved() {
        scenario.announce(1, 10, RELAY).open(RELAY);
        scenario.eose(
                scenario.history(EngineScenario.announcements()).orElseThrow().subscription());
        scenario.closed(scenario.history(ofRepo(1)).orElseThrow().subscription(), "blocked: not you");
        scenario.drain(RELAY);
        RelayView refused = look(RELAY);
        assertThat(refused.phase()).isEqualTo(Phase.WAITING);
        assertThat(refused.why().map(RelayView.Reason::text)).contains("blocked: not you");
        LastOutcome last = refused.layers().get(1).last().orElseThrow();
        assertThat(last.word()).isEqualTo("closed");
        assertThat(last.reason()).contains("blocked: not you");
        assertThat(engine().phase()).isEqualTo(EngineView.Phase.STARTING);

        scenario.give(new SyncInput.SelfDrainBegan(scenario.now()))
                .announce(1, 10, RELAY)
                .drained();
        assertThat(engine().phase()).isEqualTo(EngineView.Phase.WAITING);

        scenario.passAnswering(Duration.ofHours(25), RELAY);
        assertThat(look(RELAY).phase()).isEqualTo(Phase.SYNCED);
        assertThat(look(RELAY).why()).isEmpty();
        assertThat(engine().phase()).isEqualTo(EngineView.Phase.COMPLETE);
    }

    @Test
    void whatIsHeldBackIsSeenWhateverElseIsAnswered() {
        scenario.announce(1, 10, RELAY).open(RELAY);
        scenario.closed(scenario.history(ofRepo(1)).orElseThrow().subscription(), "blocked: not you");
        scenario.drain(RELAY).roots(1, 1).drain(RELAY);

        RepoAtRelayView held = scenario.engine().relaysOf(repo(1)).getFirst();
        assertThat(held.confirmed()).isBetween(1, held.items() - 1);
        assertThat(held.last().map(LastOutcome::word)).contains("closed");

        scenario.passAnswering(Duration.ofHours(25), RELAY);
        assertThat(scenario.engine().relaysOf(repo(1)).getFirst().last().map(LastOutcome::word))
                .contains("drained");
    }

    @Test
    void aLostConnectionIsSeenWithItsReasonAndTheNextAttempt() {
        scenario.announce(1, 10, RELAY).open(RELAY).pass(Duration.ofSeconds(10));
        scenario.lose(RELAY);
        RelayView lost = look(RELAY);
        assertThat(lost.connection()).isEqualTo(Connection.DISCONNECTED);
        assertThat(lost.since()).isEqualTo(scenario.now());
        assertThat(lost.failures()).isEqualTo(1);
        assertThat(lost.health()).isEqualTo(RelayHealth.Status.DEGRADED);
        assertThat(lost.why().map(RelayView.Reason::text)).contains("gone");
        assertThat(lost.nextAttempt()).hasValueSatisfying(at -> assertThat(at).isAfter(scenario.now()));
        assertThat(lost.layers().getFirst().last().map(LastOutcome::word)).contains("lost");
        assertThat(lost.reliability(scenario.now().plusSeconds(60)).down())
                .isEqualTo(lost.reliability().down().plusSeconds(60));
    }

    /** What a relay holds that is not reached, or holds back, does not get done by waiting. */
    @Test
    void onlyWhatIsMissingOfRelaysThatAreReadIsUnderWay() {
        scenario.announce(1, 10, RELAY, OTHER).roots(1, 1, 2);
        look(RELAY);
        assertThat(engine().underWay()).isZero();

        scenario.open(RELAY);
        assertThat(engine().underWay()).isEqualTo(4);
        assertThat(engine().wanted()).isEqualTo(8);

        scenario.drain(RELAY);
        assertThat(engine().underWay()).isZero();
    }

    @Test
    void aRepositoryIsSeenAtEveryRelayItNames() {
        scenario.announce(1, 10, RELAY, OTHER).roots(1, 1, 2);
        scenario.open(RELAY).drain(RELAY);
        EngineChanges changes = scenario.engine().look(scenario.now());
        assertThat(changes.repos()).containsExactly(new RepoView(repo(1), 2, 2, 0, 6, 3));
        assertThat(changes.engine().roots()).isEqualTo(2);
        assertThat(changes.engine().repositories()).isEqualTo(1);
        assertThat(scenario.engine().relaysOf(repo(1)).stream().map(RepoAtRelayView::confirmed))
                .containsExactly(3, 0);
        assertThat(scenario.engine().reposAt(RELAY, 10).stream().map(RepoAtRelayView::repo))
                .containsExactly(repo(1));
    }

    @Test
    void aRelayWithoutAPlaceIsCounted() {
        EngineScenario small = new EngineScenario(SyncSettings.DEFAULTS.with(new SyncSettings.Places(1, 20, 50)));
        small.announce(1, 10, RELAY, OTHER);
        EngineChanges changes = small.engine().look(small.now());
        assertThat(changes.engine().leftOut()).isEqualTo(1);
        assertThat(changes.repos().getFirst().leftOut()).isEqualTo(1);
        assertThat(small.engine().relaysOf(repo(1)).get(1).leftOut()).isTrue();
    }

    @Test
    void whatIsRemovedIsSeenAsGone() {
        scenario.announce(1, 10, RELAY).roots(1, 1, 2).open(RELAY).drain(RELAY);
        scenario.engine().look(scenario.now());

        scenario.give(removed(id(1)));
        assertThat(look(RELAY).items()).isEqualTo(3);
        assertThat(look(RELAY).confirmed()).isEqualTo(3);
        assertThat(engine().roots()).isEqualTo(1);

        scenario.give(new SyncInput.SelfBatch(
                scenario.now(), List.of(), List.of(), List.of(new SyncInput.Removed.Repo(repo(1), 10))));
        EngineChanges gone = scenario.engine().look(scenario.now());
        assertThat(gone.reposGone()).containsExactly(repo(1));
        assertThat(gone.relays().getFirst().items()).isEqualTo(1);
        assertThat(gone.engine().roots()).isZero();

        scenario.pass(Duration.ofMinutes(3)).give(new SyncInput.CheckDisconnects(scenario.now()));
        assertThat(scenario.engine().look(scenario.now()).relaysGone()).containsExactly(RELAY);
        assertThat(engine().relays()).isZero();
    }

    @Test
    void countsAreRightWhenOneItemComesAndOthersAreConfirmedBetweenTwoLooks() {
        scenario.announce(1, 10, RELAY).roots(1, 1, 2).open(RELAY);
        look(RELAY);
        scenario.drain(RELAY).roots(1, 3);
        assertThat(look(RELAY).layers().get(2))
                .extracting(LayerView::items, LayerView::confirmed)
                .containsExactly(3, 2);
        scenario.give(new SyncInput.FreshSyncNow(scenario.now(), RELAY)).roots(1, 4);
        assertThat(look(RELAY).layers().get(2))
                .extracting(LayerView::items, LayerView::confirmed)
                .containsExactly(4, 0);
    }

    @Test
    void lookingAgainShowsOnlyWhatChanged() {
        IntStream.range(0, 50).forEach(repo -> scenario.announce(repo, 10, RELAY, OTHER));
        scenario.open(RELAY).open(OTHER).drain(RELAY).drain(OTHER);
        scenario.engine().look(scenario.now());
        assertThat(scenario.engine().look(scenario.now()).relays()).isEmpty();

        scenario.announce(99, 10, RELAY);
        EngineChanges changes = scenario.engine().look(scenario.now());
        assertThat(changes.relays().stream().map(RelayView::relay)).containsExactly(RELAY);
        assertThat(changes.repos().stream().map(RepoView::repo)).containsExactly(repo(99));
    }

    private SyncInput removed(EventId id) {
        return new SyncInput.SelfBatch(scenario.now(), List.of(), List.of(), List.of(new SyncInput.Removed.Event(id)));
    }

    private EngineView engine() {
        return scenario.engine().look(scenario.now()).engine();
    }

    private RelayView look(RelayUrl relay) {
        scenario.engine().look(scenario.now()).relays().forEach(view -> seen.put(view.relay(), view));
        return Objects.requireNonNull(seen.get(relay));
    }
}
