package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.sync.core.ConnectionState.Connected;
import dev.graspsync.sync.core.ConnectionState.Connecting;
import dev.graspsync.sync.core.ConnectionState.Disconnected;
import dev.graspsync.sync.core.PendingSyncIndex.Asked;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Takes what happened and says what to do: one exhaustive switch, no waiting, no side effects. Keeps its state in
 * itself, because copying it would cost more than any input changes; the same seed and inputs give the same actions.
 */
public final class SyncEngine {

    /** A dial that is answered neither way: the connection code has shorter deadlines of its own. */
    private static final Duration CONNECT_DEADLINE = Duration.ofMinutes(2);

    /** Well within the quick reconnect window, so that a restart soon after is quick. */
    private static final Duration REMEMBER_EVERY = Duration.ofMinutes(5);

    private final SyncSettings settings;
    private final Jitter jitter;
    private final Turn.Ids ids = new Turn.Ids();
    private final RepoSyncIndex repos;
    private final RelaySyncIndex relays;
    private final EngineObservation observation;
    private boolean started;
    /** Whether the own relay was read to its end once: then all that is wanted is known. */
    private boolean ownRelayRead;

    /** @param seed where jitter comes from */
    public SyncEngine(SyncSettings settings, long seed) {
        this.settings = settings;
        this.jitter = new Jitter(seed);
        this.repos = new RepoSyncIndex(settings);
        this.relays = new RelaySyncIndex(settings);
        this.observation = new EngineObservation(settings, relays, repos);
    }

    public List<SyncAction> step(SyncInput input) {
        boolean knowsAll = input instanceof SyncInput.SelfDrained && !ownRelayRead;
        ownRelayRead |= knowsAll;
        Turn turn = new Turn(settings, jitter, ids, input.at(), ownRelayRead, new ArrayList<>());
        Touched touched = new Touched(turn);
        if (!started) {
            started = true;
            Set<RelayUrl> permanent = new LinkedHashSet<>(settings.relays().namedByAll());
            permanent.addAll(settings.relays().bootstrap());
            permanent.forEach(url -> touched.relay(relays.add(url, turn)));
        }
        switch (input) {
            case SyncInput.SelfBatch batch -> selfBatch(batch, touched);
            case SyncInput.SelfDrainBegan began -> repos.beginDrain();
            case SyncInput.SelfDrained drained -> {
                repos.endDrain(touched);
                relays.recollect(touched::relay, turn);
                if (knowsAll) {
                    relays.all().forEach(touched::relay);
                }
            }
            case SyncInput.Tick tick -> tick(touched);
            case SyncInput.CheckDisconnects check -> checkRelays(turn);
            case SyncInput.Remembered remembered -> remembered.relays().forEach(record -> recall(record, touched));
            case SyncInput.Opened opened -> opened(opened, touched);
            case SyncInput.OpenFailed failed ->
                touched.with(failed.relay(), relay -> ConnectionRules.openFailed(relay, failed.why(), turn));
            case SyncInput.Lost lost ->
                touched.with(lost.relay(), relay -> ConnectionRules.lost(relay, lost.lastHeard(), lost.why(), turn));
            case SyncInput.PageEnded ended ->
                touched.with(
                        ended.relay(),
                        relay -> QueryRules.pageEnded(relay, ended.subscription(), ended.page(), ended.hint(), turn));
            case SyncInput.Progressed progressed -> progressed(progressed, touched);
            case SyncInput.Closed closed ->
                touched.with(
                        closed.relay(),
                        relay -> RefusalRules.closed(relay, closed.subscription(), closed.message(), turn));
            case SyncInput.Noticed noticed ->
                touched.with(noticed.relay(), relay -> RefusalRules.noticed(relay, noticed.message(), turn));
            case SyncInput.HeldBack held -> touched.with(held.relay(), relay -> relay.sentMuchAt = held.at());
            case SyncInput.ReconcileBegan began ->
                touched.with(began.relay(), relay -> NegentropyResults.began(relay, began));
            case SyncInput.Reconciled done ->
                touched.with(done.relay(), relay -> NegentropyResults.reconciled(relay, done, turn));
            case SyncInput.ReconcileFailed failed ->
                touched.with(failed.relay(), relay -> NegentropyResults.failed(relay, failed, turn));
            case SyncInput.Authenticated answer ->
                touched.with(answer.relay(), relay -> RefusalRules.authenticated(relay, answer.accepted()));
            case SyncInput.RetryNow retry -> touched.with(retry.relay(), ConnectionRules::retryNow);
            case SyncInput.FreshSyncNow now -> touched.with(now.relay(), relay -> freshSync(relay, turn));
        }
        touched.settle();
        return turn.actions();
    }

    // From the own relay -------------------------------------------------------------------------------------------

    private void selfBatch(SyncInput.SelfBatch batch, Touched touched) {
        batch.announcements().forEach(announced -> repos.announce(announced, touched));
        Set<RepoSyncNeeds> grown = new LinkedHashSet<>();
        batch.roots().forEach(root -> repos.root(root, grown));
        grown.forEach(touched::grown);
        new LinkedHashSet<>(batch.removals()).forEach(removed -> repos.remove(removed, touched));
    }

    // From the clock -----------------------------------------------------------------------------------------------

    private void tick(Touched touched) {
        repos.removeExpired(touched.turn.now(), touched);
        for (RelayState relay : relays.due(touched.turn.now())) {
            touched.relay(relay);
            ConnectionRules.healthyIfDue(relay, touched.turn);
            if (relay.isConnected()) {
                QueryRules.endIdle(relay, touched.turn);
                Instant due = relay.freshSyncDue;
                if (relay.isConnected() && due != null && !due.isAfter(touched.turn.now())) {
                    freshSync(relay, touched.turn);
                }
            } else if (relay.connection instanceof Connecting connecting
                    && !connecting.since().plus(CONNECT_DEADLINE).isAfter(touched.turn.now())) {
                touched.turn.act(new SyncAction.Disconnect(relay.url, "no answer to the connection attempt"));
                ConnectionRules.openFailed(relay, "no answer to the connection attempt", touched.turn);
            }
        }
    }

    private static void freshSync(RelayState relay, Turn turn) {
        if (relay.isConnected()) {
            ConnectionRules.freshSync(relay, turn);
        }
    }

    /** Rule 12, and what else is not urgent. */
    private void checkRelays(Turn turn) {
        for (RelayState relay : List.copyOf(relays.all())) {
            if (relay.isConnected() && !relay.rememberedAt.plus(REMEMBER_EVERY).isAfter(turn.now())) {
                relay.remember(turn); // how long it was synced is worth knowing after a restart
            }
            boolean unneeded = !relay.isNeeded()
                    && !relay.emptySince
                            .plus(settings.waits().disconnectGrace())
                            .isAfter(turn.now());
            if (unneeded && relay.pending.isEmpty()) {
                relays.remove(relay, this::placed, turn);
                observation.changed(relay);
                turn.act(new SyncAction.Disconnect(relay.url, "no repository names it any more"));
                turn.act(new SyncAction.Forget(relay.url));
            } else if (isDeadWeight(relay, turn)) {
                relays.giveWay(relay, this::placed, turn).forEach(observation::changed);
                observation.changed(relay);
            }
        }
    }

    private void placed(RelayState relay) {
        observation.changed(relay);
        relay.repos.keySet().forEach(observation::changed);
    }

    private boolean isDeadWeight(RelayState relay, Turn turn) {
        return relays.leftOut() > 0
                && !relay.bootstrap
                && relay.connection instanceof Disconnected
                && relay.health.nextAttempt().isAfter(turn.now())
                && relay.health.isDead(turn.now(), settings);
    }

    private void recall(RelayRecord record, Touched touched) {
        RelayState known = relays.get(record.relay());
        if (known == null) {
            relays.recall(record);
        } else {
            known.recall(record, touched.turn.now().plus(Recollection.PATIENCE));
            touched.relay(known);
        }
    }

    // From connections ---------------------------------------------------------------------------------------------

    private void opened(SyncInput.Opened opened, Touched touched) {
        RelayState relay = relays.get(opened.relay());
        if (relay == null) {
            touched.turn.act(new SyncAction.Disconnect(opened.relay(), "no repository names it any more"));
        } else {
            touched.relay(relay);
            ConnectionRules.opened(relay, opened.hints(), touched.turn);
        }
    }

    private void progressed(SyncInput.Progressed progressed, Touched touched) {
        touched.with(progressed.relay(), relay -> {
            Asked asked = relay.pending.open().get(progressed.subscription());
            if (asked != null) {
                asked.heard(progressed.at());
                if (!(asked.query() instanceof Reconciliation)) {
                    relay.sentMuchAt = progressed.at();
                }
            }
        });
    }

    // What the step touched ----------------------------------------------------------------------------------------

    /** Collects the relays an input concerns, so that only they are looked at again. */
    private final class Touched implements RepoSyncIndex.Targets {

        private final Turn turn;
        private final Set<RelayState> relaysOfTurn = new LinkedHashSet<>();

        Touched(Turn turn) {
            this.turn = turn;
        }

        void relay(RelayState relay) {
            relaysOfTurn.add(relay);
        }

        void with(RelayUrl url, Consumer<RelayState> change) {
            RelayState relay = relays.get(url);
            if (relay != null) {
                relaysOfTurn.add(relay);
                change.accept(relay);
            }
        }

        @Override
        public void named(RelayUrl url, RepoSyncNeeds repo) {
            RelayState relay = relays.name(url, repo, turn);
            if (relay != null) {
                relaysOfTurn.add(relay);
            }
        }

        @Override
        public void unnamed(RelayUrl url, RepoSyncNeeds repo) {
            relays.unname(url, repo, turn);
            Optional.ofNullable(relays.get(url)).ifPresent(observation::changed);
        }

        @Override
        public void changed(RepoSyncNeeds repo) {
            observation.changed(repo);
        }

        @Override
        public void grown(RepoSyncNeeds repo) {
            observation.changed(repo);
            for (RelayUrl url : repo.relays()) {
                RelayState relay = relays.get(url);
                RepoAtRelay here = relay == null ? null : relay.repos.get(repo);
                if (relay != null && here != null) {
                    relay.wanted.add(here, turn.now());
                    relay.live.uncovered().add(here);
                    relay.complete = false;
                    relaysOfTurn.add(relay);
                }
            }
        }

        void settle() {
            for (RelayState relay : relaysOfTurn) {
                ConnectionRules.connectIfDue(relay, turn);
                ComputeActions.run(relay, turn);
                observation.changed(relay);
                relays.schedule(relay, dueOf(relay, turn.now()));
            }
        }
    }

    private Instant dueOf(RelayState relay, Instant now) {
        return switch (relay.connection) {
            case Disconnected disconnected ->
                relay.isNeeded() ? later(relay.health.nextAttempt(), relay.heldUntil) : Instant.MAX;
            case Connecting connecting -> connecting.since().plus(CONNECT_DEADLINE);
            case Connected connected -> dueWhileConnected(relay, connected, now);
        };
    }

    private Instant dueWhileConnected(RelayState relay, Connected connected, Instant now) {
        Instant due = Instant.MAX;
        if (!connected.healthy()) {
            due = connected.since().plus(settings.backoff().healthyAfter());
        }
        for (Asked asked : relay.pending.open().values()) {
            due = earlier(due, QueryRules.deadline(relay, asked, settings));
        }
        if (relay.reading == NegentropyRules.Reading.WHOLE && !ownRelayRead) {
            Instant patience = NegentropyRules.patience(connected.since());
            due = patience.isAfter(now) ? earlier(due, patience) : due;
        }
        if (relay.freshSyncDue != null) {
            due = earlier(due, relay.freshSyncDue);
        }
        for (LiveSide.LiveSub sub : relay.live.subs().values()) {
            if (!sub.isOpen()) {
                due = earlier(due, sub.sentAt().plus(settings.waits().idleAfter()));
            }
        }
        if (relay.auth == RelayState.Auth.ASKED) {
            due = earlier(due, relay.authAskedAt.plus(settings.waits().idleAfter()));
        }
        for (Instant later : List.of(relay.quietUntil, relay.live.notBefore(true), relay.live.notBefore(false))) {
            if (later.isAfter(now)) {
                due = earlier(due, later);
            }
        }
        Instant wanted = relay.wanted.nextDue();
        return wanted == null ? due : earlier(due, wanted);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** When the next {@link SyncInput.Tick} is worth giving; {@link Instant#MAX} if nothing is due. */
    public Instant nextDue() {
        Instant expiry = repos.nextExpiry();
        return expiry == null ? relays.nextDue() : earlier(relays.nextDue(), expiry);
    }

    // What can be seen from outside --------------------------------------------------------------------------------

    /** What changed since this was last asked. */
    public EngineChanges look(Instant now) {
        return observation.look(now);
    }

    /** How far the first repositories of a relay are synced from it. */
    public List<RepoAtRelayView> reposAt(RelayUrl relay, int most) {
        return observation.reposAt(relay, most);
    }

    /** How far a repository is synced from each relay it names. */
    public List<RepoAtRelayView> relaysOf(RepoAddress repo) {
        return observation.relaysOf(repo);
    }

    /** Whether all that is wanted of this relay is confirmed. */
    public boolean isComplete(RelayUrl url) {
        RelayState relay = relays.get(url);
        return relay != null && relay.isConnected() && relay.complete;
    }

    Optional<RelayBudget> budget(RelayUrl url) {
        return Optional.ofNullable(relays.get(url)).map(relay -> relay.budget);
    }

    void checkView(Instant now) {
        observation.look(now);
        observation.check();
    }

    void checkInvariants() {
        relays.all().forEach(RelayState::check);
        repos.check();
    }
}
