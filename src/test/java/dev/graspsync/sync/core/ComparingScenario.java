package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.announcements;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.sync.core.SyncSettings.Comparing;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;

/** One relay, one repository, an own relay that has been read, and what comparing comes to. */
abstract class ComparingScenario {
    final EngineScenario scenario = new EngineScenario(SyncSettings.DEFAULTS.with(Comparing.FETCH));

    @BeforeEach
    void anOwnRelayThatHasBeenRead() {
        scenario.give(new SyncInput.SelfDrainBegan(scenario.now()));
        scenario.announce(1, 100, RELAY);
        scenario.give(new SyncInput.SelfDrained(scenario.now()));
    }

    SyncAction.Reconcile compared() {
        return scenario.last(SyncAction.Reconcile.class).getFirst();
    }

    void begin(SyncAction.Reconcile session) {
        scenario.give(new SyncInput.ReconcileBegan(scenario.now(), RELAY, session.session()));
    }

    void found(SyncAction.Reconcile session, EventId... need) {
        scenario.give(new SyncInput.Reconciled(scenario.now(), RELAY, session.session(), List.of(need), 0));
    }

    void failed(SyncAction.Reconcile session, ReconcileFailure why) {
        scenario.give(new SyncInput.ReconcileFailed(scenario.now(), RELAY, session.session(), why));
    }

    void refused(SyncAction.Reconcile session, String reason) {
        failed(session, new ReconcileFailure.Refused(reason, OptionalLong.empty(), OptionalLong.empty()));
    }

    /** What {@code {}} was too different for goes on filter by filter: these. */
    List<SyncAction.Reconcile> filters() {
        scenario.open(RELAY);
        failed(compared(), new ReconcileFailure.TooDifferent("much"));
        return scenario.last(SyncAction.Reconcile.class);
    }

    boolean isPaged() {
        return scenario.history(announcements()).isPresent()
                && scenario.history(ofRepo(1)).isPresent();
    }

    void deliverAll(SyncAction.Subscribe fetch) {
        deliver(fetch, idsOf(fetch));
    }

    static Set<EventId> idsOf(SyncAction.Subscribe fetch) {
        return fetch.page().filters().getFirst().ids().orElseThrow();
    }

    void deliver(SyncAction.Subscribe fetch, Set<EventId> ids) {
        PageResult page =
                new PageResult(ids.size(), ids.size(), List.of(new PageResult.Read(ids.size(), 7, Set.of())), 0, ids);
        scenario.give(new SyncInput.PageEnded(scenario.now(), RELAY, fetch.subscription(), page, Hint.NONE));
    }
}
