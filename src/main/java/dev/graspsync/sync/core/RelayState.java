package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.ConnectionState.Connected;
import dev.graspsync.sync.core.RelayRecord.Coverage;
import dev.graspsync.sync.core.RelayRecord.Reliability;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything known of one relay: its targets, how far each is synced, its connection, health and budget. */
final class RelayState {

    /** Whether the relay knows who we are, on this connection (NIP-42). */
    enum Auth {
        NOT_ASKED,
        ASKED,
        ACCEPTED,
        REFUSED
    }

    private static final EventId NO_EVENT = new EventId(0, 0, 0, 0);

    final RelayUrl url;
    final boolean bootstrap;
    /** Layer 1 is asked of every relay, whatever its repositories. */
    final RepoAtRelay announcements;

    private final RelayCount count = new RelayCount();
    final Map<RepoSyncNeeds, RepoAtRelay> repos = new LinkedHashMap<>();
    final WantedQueue wanted = new WantedQueue();
    final PendingSyncIndex pending = new PendingSyncIndex();
    final LiveSide live = new LiveSide();

    ConnectionState connection = ConnectionState.never();
    RelayHealth health = RelayHealth.HEALTHY;
    RelayBudget learned;
    RelayBudget budget;
    RelayHints hints = RelayHints.NONE;
    Reliability reliability = Reliability.NONE;
    Auth auth = Auth.NOT_ASKED;
    Instant authAskedAt = Instant.MIN;

    /** Where a catch-up begins; null where nothing is stale. */
    @Nullable
    Instant catchUpSince;

    @Nullable
    Instant freshSyncDue;

    /** What had been confirmed before a restart; null once it is clear what of it counts. */
    RelayRecord.@Nullable Synced recalled;
    /** It is not connected to before then: what is wanted of it is still being read. */
    Instant heldUntil = Instant.MIN;

    Instant rememberedAt = Instant.MIN;
    boolean freshSyncing;
    boolean complete;
    /** Whether its death has been told. */
    boolean dead;

    Instant quietUntil = Instant.MIN;
    /** When a refusal last lowered the budget. */
    Instant learnedAt = Instant.MIN;

    int rateLimits;
    /** When it last answered a request, or was connected. */
    Instant answeredAt = Instant.MIN;

    /** When the answer to a comparison was last known to wait behind other things that it sends. */
    Instant sentMuchAt = Instant.MIN;

    int drops;
    int longestPage;
    /** Its health when it was last left for not answering; null once it answered again. */
    @Nullable
    RelayHealth silentHealth;

    NegentropyRules.Reading reading = NegentropyRules.Reading.PAGES;
    /** It does not know NIP-77, and is not asked before then. */
    Instant negentropyRetryAt = Instant.MIN;
    /** Whether it is asked to compare filters with more values than those read by pages. */
    boolean negentropyWide = true;

    ComparingPass comparing = new ComparingPass();
    int negentropyFailures;
    int negentropyDrops;

    Instant emptySince;
    Instant upOrDownSince;
    Optional<Instant> lastConnected = Optional.empty();
    String lastNotice = "";
    Instant lastNoticeAt = Instant.MIN;
    /** When the engine looks at this relay next; kept by {@link RelaySyncIndex}. */
    Instant due = Instant.MAX;

    final Instant addedAt;
    /** The last failure or refusal; null once everything was confirmed after it. */
    RelayView.@Nullable Reason why;

    RelayState(RelayUrl url, boolean bootstrap, RelayBudget budget, Instant now) {
        this.addedAt = now;
        this.announcements = new RepoAtRelay(new RepoSyncNeeds(new Item.Announcements(), NO_EVENT, 0), count.changed());
        this.url = url;
        this.bootstrap = bootstrap;
        this.learned = budget;
        this.budget = budget;
        this.emptySince = now;
        this.upOrDownSince = now;
    }

    boolean isConnected() {
        return connection instanceof Connected;
    }

    boolean isNeeded() {
        return bootstrap || !repos.isEmpty();
    }

    RelayCount count() {
        return count;
    }

    void wentWrong(String why, Turn turn) {
        this.why = new RelayView.Reason(why, turn.now());
    }

    /** A batch ended: observers see how. */
    void ended(PendingBatch batch, Outcome outcome, Turn turn) {
        count.ended(batch, new LastOutcome(outcome, turn.now()));
        outcome.reason().ifPresent(reason -> wentWrong(reason, turn));
    }

    int openSubscriptions() {
        return live.size() + pending.open().size();
    }

    void countUpOrDown(Instant now) {
        Duration passed = Duration.between(upOrDownSince, now);
        reliability = isConnected()
                ? new Reliability(
                        reliability.attempts(),
                        reliability.failures(),
                        reliability.up().plus(passed),
                        reliability.down())
                : new Reliability(
                        reliability.attempts(),
                        reliability.failures(),
                        reliability.up(),
                        reliability.down().plus(passed));
        upOrDownSince = now;
    }

    void countAttempt() {
        reliability = new Reliability(
                reliability.attempts() + 1, reliability.failures(), reliability.up(), reliability.down());
    }

    void countFailure() {
        reliability = new Reliability(
                reliability.attempts(), reliability.failures() + 1, reliability.up(), reliability.down());
    }

    RelayRecord record(Turn turn) {
        return new RelayRecord(
                url,
                health.failures(),
                health.failingSince(),
                Optional.of(health.nextAttempt()).filter(at -> at.isAfter(Instant.EPOCH)),
                Optional.ofNullable(freshSyncDue),
                lastConnected,
                learned,
                reliability,
                coverage(),
                Optional.of(negentropyRetryAt).filter(at -> at.isAfter(Instant.EPOCH)),
                Recollection.of(this, turn));
    }

    private Coverage coverage() {
        long items = 0;
        long confirmed = 0;
        for (RepoAtRelay repo : repos.values()) {
            items += repo.repo().size();
            confirmed += repo.confirmedCount();
        }
        return new Coverage(items, confirmed);
    }

    void recall(RelayRecord record, Instant patience) {
        recalled = record.synced().orElse(null);
        heldUntil = recalled == null ? Instant.MIN : patience;
        health = new RelayHealth(
                record.failures(), record.failingSince(), record.nextAttempt().orElse(Instant.MIN));
        freshSyncDue = record.freshSyncDue().orElse(null);
        lastConnected = record.lastConnected();
        learned = record.budget();
        budget = learned;
        reliability = record.reliability();
        negentropyRetryAt = record.negentropyRetryAt().orElse(Instant.MIN);
    }

    void remember(Turn turn) {
        countUpOrDown(turn.now());
        rememberedAt = turn.now();
        turn.act(new SyncAction.Remember(url, record(turn)));
    }

    void check() {
        announcements.check();
        repos.values().forEach(RepoAtRelay::check);
        if (!isConnected() && (openSubscriptions() > 0 || !pending.isEmpty())) {
            throw new IllegalStateException(url + " is not connected and has something in flight");
        }
        if (openSubscriptions() > budget.subscriptions()) {
            throw new IllegalStateException(url + " has " + openSubscriptions() + " subscriptions open, its budget is "
                    + budget.subscriptions());
        }
        pending.check();
        if (wanted.ready().size() > repos.size() + 1) {
            throw new IllegalStateException(url + " wants more than is named by its repositories");
        }
        pending.open().values().forEach(asked -> {
            if (!pending.batches().contains(asked.batch())) {
                throw new IllegalStateException(url + " has a query without a batch");
            }
        });
    }
}
