package dev.graspsync.sync.core;

import dev.graspsync.sync.core.ConnectionState.Connected;
import dev.graspsync.sync.core.ConnectionState.Connecting;
import dev.graspsync.sync.core.ConnectionState.Disconnected;
import dev.graspsync.sync.core.RelayHealth.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Connecting, losing a connection, and what has to be asked for again after it (rules 8 to 11, 22 and 24). */
final class ConnectionRules {

    private static final int SUSPICIOUS_DROPS = 2;
    private static final Duration SOON_AFTER_REQ = Duration.ofSeconds(10);

    private ConnectionRules() {}

    /** Dials a relay that is needed and not connected, when its backoff allows. */
    static void connectIfDue(RelayState relay, Turn turn) {
        if (relay.connection instanceof Disconnected before
                && relay.isNeeded()
                && !relay.heldUntil.isAfter(turn.now())
                && !relay.health.nextAttempt().isAfter(turn.now())) {
            Recollection.giveUp(relay);
            relay.connection = new Connecting(turn.now(), before);
            relay.countAttempt();
            turn.act(new SyncAction.Connect(relay.url));
        }
    }

    /** One handler for connect and reconnect (rule 8). */
    static void opened(RelayState relay, RelayHints hints, Turn turn) {
        if (!(relay.connection instanceof Connecting connecting)) {
            turn.act(new SyncAction.Disconnect(relay.url, "nobody asked for this connection"));
            return;
        }
        relay.countUpOrDown(turn.now());
        relay.connection = new Connected(turn.now(), false);
        relay.lastConnected = Optional.of(turn.now());
        relay.auth = RelayState.Auth.NOT_ASKED;
        relay.hints = hints;
        relay.budget = relay.learned.within(hints);
        relay.answeredAt = turn.now();
        relay.complete = false;
        relay.live.clear();
        relay.live.wantRebuild(true);
        relay.repos.values().forEach(RepoAtRelay::clearLive);
        Disconnected before = connecting.before();
        boolean quick = before.lostAt()
                .filter(lost -> Duration.between(lost, turn.now())
                                .compareTo(turn.settings().quickReconnectWindow())
                        <= 0)
                .isPresent();
        if (quick) {
            Instant heard = before.lastHeard().orElse(turn.now());
            catchUp(relay, heard.minus(turn.settings().quickReconnectWindow()), turn);
            if (relay.freshSyncDue == null) {
                scheduleFreshSync(relay, turn);
            }
        } else {
            startOver(relay, turn);
        }
        relay.remember(turn);
    }

    /** What was confirmed is asked for again from a second on. */
    static void catchUp(RelayState relay, Instant since, Turn turn) {
        Instant earlier = relay.catchUpSince;
        relay.catchUpSince = earlier == null || since.isBefore(earlier) ? since : earlier;
        relay.announcements.becomeStale();
        relay.repos.values().forEach(RepoAtRelay::becomeStale);
        wantEverything(relay, turn);
    }

    private static void startOver(RelayState relay, Turn turn) {
        relay.catchUpSince = null;
        relay.announcements.startOver();
        relay.repos.values().forEach(RepoAtRelay::startOver);
        NegentropyRules.startOver(relay, turn);
        scheduleFreshSync(relay, turn);
        wantEverything(relay, turn);
    }

    private static void wantEverything(RelayState relay, Turn turn) {
        relay.wanted.clear();
        relay.complete = false;
        relay.wanted.add(relay.announcements, turn.now());
        relay.repos.values().forEach(repo -> relay.wanted.add(repo, turn.now()));
    }

    static void scheduleFreshSync(RelayState relay, Turn turn) {
        SyncSettings settings = turn.settings();
        relay.freshSyncDue = turn.now()
                .plus(turn.jitter()
                        .between(
                                settings.freshSync().min(), settings.freshSync().max()));
    }

    /** Rule 22: everything again, beside the live subscriptions. */
    static void freshSync(RelayState relay, Turn turn) {
        relay.learned = relay.learned.grown(
                RelayBudget.initial(turn.settings().budgets().tagsPerFilter()));
        relay.budget = relay.learned.within(relay.hints);
        relay.freshSyncing = true;
        startOver(relay, turn);
        Instant due = relay.freshSyncDue;
        if (due != null) {
            turn.report(relay.url, new Finding.FreshSyncBegan(due));
        }
        relay.remember(turn);
    }

    static void openFailed(RelayState relay, String why, Turn turn) {
        if (relay.connection instanceof Connecting connecting) {
            relay.connection = connecting.before();
            failed(relay, why, turn);
        }
    }

    static void lost(RelayState relay, Instant lastHeard, String why, Turn turn) {
        if (!(relay.connection instanceof Connected connected)) {
            return;
        }
        relay.countUpOrDown(turn.now());
        suspectSize(relay, turn);
        relay.connection = new Disconnected(Optional.of(turn.now()), Optional.of(lastHeard));
        // Rule 10: what was in flight is wanted again.
        for (PendingBatch batch : relay.pending.batches()) {
            relay.ended(batch, new Outcome.Lost(), turn);
            for (PendingBatch.Slice slice : batch.slices()) {
                giveBack(relay, slice, turn.now(), turn);
            }
        }
        NegentropyResults.lost(relay, turn);
        relay.pending.clear();
        relay.live.clear();
        relay.quietUntil = Instant.MIN;
        if (connected.healthy()) {
            relay.health = RelayHealth.HEALTHY;
        }
        failed(relay, why, turn);
    }

    /** Being connected is no success where nothing is answered: leaving again and again takes ever longer. */
    static void leaveSilent(RelayState relay, Instant silentSince, Turn turn) {
        RelayHealth before = relay.silentHealth;
        if (before != null) {
            relay.health = before;
            relay.connection = new Connected(((Connected) relay.connection).since(), false);
        }
        lost(relay, silentSince, "it no longer answers requests", turn);
        relay.silentHealth = relay.health;
    }

    /** Not every answer is a sign of health: a relay may answer some requests at once, and others never. */
    static void answered(RelayState relay, Turn turn) {
        if (relay.connection instanceof Connected connected
                && connected.since().plus(turn.settings().backoff().max()).isBefore(turn.now())) {
            relay.silentHealth = null;
        }
    }

    static void giveBack(RelayState relay, PendingBatch.Slice slice, Instant retryAt, Turn turn) {
        RepoAtRelay repo = slice.repo();
        repo.giveBack(slice.numbers(), retryAt, turn.now());
        if (!repo.isRemoved()) {
            relay.wanted.add(repo, turn.now());
        }
    }

    /** Some relays answer a message that is too large by hanging up: seen twice in a row, it is believed. */
    private static void suspectSize(RelayState relay, Turn turn) {
        boolean unanswered = relay.pending.open().values().stream()
                .anyMatch(asked -> !(asked.query() instanceof Reconciliation)
                        && asked.heardAt().equals(asked.sentAt())
                        && Duration.between(asked.sentAt(), turn.now()).compareTo(SOON_AFTER_REQ) < 0);
        if (unanswered && ++relay.drops >= SUSPICIOUS_DROPS) {
            relay.drops = 0;
            RefusalRules.learn(relay, Refusal.TOO_LARGE, "the connection drops after requests", turn);
        }
    }

    private static void failed(RelayState relay, String why, Turn turn) {
        relay.countFailure();
        relay.wentWrong(why, turn);
        relay.health = relay.health.failed(turn.now(), turn.settings(), turn.jitter());
        turn.report(relay.url, new Finding.BackingOff(relay.health.failures(), relay.health.nextAttempt(), why));
        if (!relay.dead && relay.health.status(turn.now(), turn.settings()) == Status.DEAD) {
            relay.dead = true;
            turn.report(
                    relay.url,
                    new Finding.Dead(relay.health.failingSince().orElse(turn.now()), relay.health.nextAttempt()));
        }
        relay.remember(turn);
    }

    /** A connection counts as success only after it stayed up for a while. */
    static void healthyIfDue(RelayState relay, Turn turn) {
        if (relay.connection instanceof Connected connected
                && !connected.healthy()
                && !connected
                        .since()
                        .plus(turn.settings().backoff().healthyAfter())
                        .isAfter(turn.now())) {
            relay.connection = new Connected(connected.since(), true);
            if (relay.health.failures() > 0) {
                turn.report(relay.url, new Finding.Recovered());
            }
            relay.health = RelayHealth.HEALTHY;
            relay.dead = false;
            relay.remember(turn);
        }
    }

    static void retryNow(RelayState relay) {
        relay.health = new RelayHealth(relay.health.failures(), relay.health.failingSince(), Instant.MIN);
    }
}
