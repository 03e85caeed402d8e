package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.RelayLedger;
import dev.graspsync.sync.core.Finding;
import dev.graspsync.sync.core.RelayBudget;
import dev.graspsync.sync.core.RelayHealth;
import dev.graspsync.sync.core.RelayRecord;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Keeps what is known of each relay's health, says it in the log, and has the ledger remember it (rule 25). */
@ApplicationScoped
public class HealthTracker {

    private static final Logger LOG = Logger.getLogger(HealthTracker.class);

    private static final String RECEIVED = "events-received";
    /** How far the store's log went: one that ends before has been put back or begun anew. */
    private static final String STORED = "stored-up-to";

    private final RelayLedger ledger;
    private final EventStore store;
    private final RelayRecords format;
    private final Map<RelayUrl, Published> published = new ConcurrentHashMap<>();
    private final Map<RelayUrl, RelayCounters> counters = new ConcurrentHashMap<>();
    private final Map<RelayUrl, RelayRecord> records = new ConcurrentHashMap<>();
    private final Map<RelayUrl, Finding> lastFindings = new ConcurrentHashMap<>();
    private final NegentropyCounters negentropy = new NegentropyCounters();
    private final Duration deadAfter;
    private final PeerLacks lacks;
    private Map<RelayUrl, Optional<RelayRecord>> unsaved = new HashMap<>();
    /** What was counted of relays that are forgotten: what they are all told together never gets less. */
    private RelayTotals forgotten = RelayTotals.NONE;

    @Inject
    HealthTracker(RelayLedger ledger, SyncConfig config, Relay relay) {
        this(ledger, relay.store(), config.backoff().deadAfter(), config.tagsPerFilter());
    }

    HealthTracker(RelayLedger ledger, EventStore store, Duration deadAfter, int tagsPerFilter) {
        this.ledger = ledger;
        this.store = store;
        this.deadAfter = deadAfter;
        this.format = new RelayRecords(RelayBudget.initial(tagsPerFilter));
        this.lacks = new PeerLacks(store, Clock.systemUTC());
    }

    /** What earlier runs learned. May block. */
    List<RelayRecord> load() {
        List<RelayRecord> loaded = new ArrayList<>();
        ledger.load().forEach((relay, fields) -> {
            RelayRecord record = format.read(relay, fields);
            boolean lost = number(fields.get(STORED)) > store.lastSeq();
            loaded.add(lost ? record.withoutSynced() : record);
            if (lost && record.synced().isPresent()) {
                LOG.warnf("The store has less than when %s was synced: everything is asked of it again", relay);
                remember(relay, record.withoutSynced());
            }
            Optional.ofNullable(Published.read(fields)).ifPresent(place -> published.put(relay, place));
            counters.put(relay, new RelayCounters(number(fields.get(RECEIVED))));
        });
        loaded.forEach(record -> records.put(record.relay(), record));
        return loaded;
    }

    private static long number(@Nullable String text) {
        return text != null && text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    /** To count what a relay sends, on from where the last run ended. It is known from now on, until it is forgotten. */
    RelayCounters counters(RelayUrl relay) {
        return counters.computeIfAbsent(relay, none -> new RelayCounters(0));
    }

    /** What was counted of a relay, to be read: of one that is not known, nothing. */
    public RelayCounters counted(RelayUrl relay) {
        return Optional.ofNullable(counters.get(relay)).orElseGet(() -> new RelayCounters(0));
    }

    /** What was counted of all relays since the start, those that are forgotten included. */
    public synchronized RelayTotals totals() {
        return counters.values().stream().map(RelayTotals::of).reduce(forgotten, RelayTotals::plus);
    }

    /** What relays lack that name them. */
    PeerLacks lacks() {
        return lacks;
    }

    /** Of a relay that is forgotten already nothing is kept: who is named comes and goes as strangers like. */
    void disconnected(RelayUrl relay) {
        counters.computeIfPresent(relay, (url, kept) -> {
            kept.disconnected();
            return kept;
        });
    }

    /** What comparing cost and found, of all relays together. */
    public NegentropyCounters negentropy() {
        return negentropy;
    }

    /** Those of all relays. */
    public Map<RelayUrl, RelayCounters> counters() {
        return Map.copyOf(counters);
    }

    /** How far everything was published to a relay. */
    Published published(RelayUrl relay) {
        return published.getOrDefault(relay, Published.NOTHING);
    }

    synchronized void published(RelayUrl relay, Published place) {
        published.put(relay, place);
        Optional.ofNullable(records.get(relay)).ifPresent(record -> unsaved.put(relay, Optional.of(record)));
    }

    synchronized void remember(RelayUrl relay, RelayRecord record) {
        records.put(relay, record);
        unsaved.put(relay, Optional.of(record));
    }

    synchronized void forget(RelayUrl relay) {
        records.remove(relay);
        lastFindings.remove(relay);
        forgotten = forgotten.plus(
                Optional.ofNullable(counters.remove(relay)).map(RelayTotals::of).orElse(RelayTotals.NONE));
        lacks.forget(relay);
        unsaved.put(relay, Optional.empty());
    }

    /** Writes what changed since the last time. May block. */
    void save() {
        synchronized (ledger) {
            Map<RelayUrl, Optional<RelayRecord>> taken = takeUnsaved();
            try {
                save(taken);
            } catch (RuntimeException failure) {
                putBack(taken);
                throw failure;
            }
        }
    }

    private synchronized void putBack(Map<RelayUrl, Optional<RelayRecord>> taken) {
        taken.forEach(unsaved::putIfAbsent);
    }

    private void save(Map<RelayUrl, Optional<RelayRecord>> taken) {
        Map<RelayUrl, Map<String, String>> changed = new HashMap<>();
        for (Map.Entry<RelayUrl, Optional<RelayRecord>> entry : taken.entrySet()) {
            if (entry.getValue().isPresent()) {
                Map<String, String> fields =
                        new HashMap<>(RelayRecords.write(entry.getValue().get()));
                Optional.ofNullable(published.get(entry.getKey())).ifPresent(place -> fields.putAll(place.write()));
                fields.put(STORED, String.valueOf(store.lastSeq()));
                fields.put(RECEIVED, String.valueOf(counted(entry.getKey()).everReceivedCount()));
                changed.put(entry.getKey(), fields);
            } else {
                ledger.remove(entry.getKey());
            }
        }
        if (!changed.isEmpty()) {
            ledger.save(changed);
        }
    }

    private synchronized Map<RelayUrl, Optional<RelayRecord>> takeUnsaved() {
        Map<RelayUrl, Optional<RelayRecord>> taken = unsaved;
        unsaved = new HashMap<>();
        return taken;
    }

    /** Failures to connect in a row, those before a restart included. */
    public int failures(RelayUrl relay) {
        RelayRecord record = records.get(relay);
        return record == null ? 0 : record.failures();
    }

    public RelayHealth.Status status(RelayUrl relay, Instant now) {
        RelayRecord record = records.get(relay);
        return record == null ? RelayHealth.Status.HEALTHY : record.status(now, deadAfter);
    }

    public @Nullable RelayRecord record(RelayUrl relay) {
        return records.get(relay);
    }

    public @Nullable Finding lastFinding(RelayUrl relay) {
        return lastFindings.get(relay);
    }

    void found(RelayUrl relay, Finding finding) {
        if (!(finding instanceof Finding.LeftOut)) {
            lastFindings.put(relay, finding);
        }
        switch (finding) {
            case Finding.BackingOff(int failures, var next, String why) ->
                LOG.warnf("Relay %s failed (%d in a row): %s; next attempt at %s", relay, failures, why, next);
            case Finding.Dead(var since, var next) ->
                LOG.errorf(
                        "Relay %s is dead: it has failed since %s and is asked once a day, next at %s",
                        relay, since, next);
            case Finding.Recovered recovered -> LOG.infof("Relay %s is healthy again", relay);
            case Finding.Complete(int repos, int items) -> {
                LOG.infof("Relay %s is synced: %d repositories, %d items confirmed", relay, repos, items);
                lacks.tell(relay);
            }
            case Finding.Returned(var outcome, int items, var retryAt) ->
                LOG.infof("Relay %s: %d items not confirmed (%s), asked again at %s", relay, items, outcome, retryAt);
            case Finding.Learned(String budget, String refusal) ->
                LOG.infof("Relay %s refused (%s): asked for less from now on, %s", relay, refusal, budget);
            case Finding.LiveRefused(var until, String refusal) ->
                LOG.warnf(
                        "Relay %s refuses a live subscription (%s): what is new there comes late until it is asked again"
                                + " at %s",
                        relay, refusal, until);
            case Finding.CoolingDown(var until, String refusal) ->
                LOG.infof("Relay %s limits the rate (%s): left alone until %s", relay, refusal, until);
            case Finding.DenseSecond(long second) ->
                LOG.warnf(
                        "Relay %s has more events in second %d than it hands out: some may be missing", relay, second);
            case Finding.CoarseLive(int filters) ->
                LOG.infof("Relay %s: %d live filters would be too many, so it is asked by kind", relay, filters);
            case Finding.FreshSyncBegan(var next) -> {
                LOG.infof("Relay %s: a fresh sync of everything began, the next is due at %s", relay, next);
                lacks.beginAnew(relay);
            }
            case Finding.Compared(boolean whole, int need, int have) ->
                LOG.debugf(
                        "Relay %s: comparing %s found %d events it has and we lack, and %d the other way",
                        relay, whole ? "everything" : "a filter", need, have);
            case Finding.FellBack(var reason, String why) -> {
                negentropy.fellBack(reason);
                // What costs a filter's pages is usual; what ends comparing an operator may want to know.
                LOG.logf(
                        reason.isFinal() ? Logger.Level.INFO : Logger.Level.DEBUG,
                        "Relay %s is asked by other means than comparing (%s: %s)",
                        relay,
                        reason,
                        why);
            }
            case Finding.WindowSplit(String why) -> {
                negentropy.split();
                LOG.debugf("Relay %s: comparing goes on in two halves of the time (%s)", relay, why);
            }
            case Finding.LeftOut(String why) -> LOG.infof("Relay %s is not connected to: %s", relay, why);
        }
    }
}
