package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.EngineProbe;
import dev.graspsync.sync.core.Finding;
import dev.graspsync.sync.core.Purpose;
import dev.graspsync.sync.core.RelayBudget;
import dev.graspsync.sync.core.RelayRecord;
import dev.graspsync.sync.core.SyncAction;
import dev.graspsync.sync.core.SyncEngine;
import dev.graspsync.sync.core.SyncInput;
import dev.graspsync.sync.core.SyncSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What must hold after every step, whatever the relays do. */
final class Watch {

    private static final int MOST_ACTIONS = 600;
    private static final int MOST_IDLE_TICKS = 30;
    private static final int MOST_STEPS = 2_000_000;
    private static final int STEPS_BETWEEN_LOOKS = 20;
    private static final int MOST_BROKEN = 20;
    private static final int REFUSALS_IN_AN_HOUR = 900;
    private static final int RATE_LIMITS_IN_AN_HOUR = 1_200;
    private static final Duration LONGEST_PAGE = Duration.ofMinutes(16);
    private static final Duration LEFT_OPEN = Duration.ofMinutes(5);

    private final SyncSettings settings;
    private final ContactRate rate;
    private final Map<RelayUrl, Deque<Instant>> refusals = new HashMap<>();
    private final Map<RelayUrl, Deque<Instant>> rateLimits = new HashMap<>();
    /** What was broken, with the time it happened first. */
    private final Map<String, Instant> broken = new LinkedHashMap<>();

    private Instant lastTick = Instant.MIN;
    private int idleTicks;
    private int steps;
    private Instant now = Instant.MIN;

    Watch(SyncSettings settings) {
        this.settings = settings;
        rate = new ContactRate();
    }

    int steps() {
        return steps;
    }

    List<String> broken() {
        return broken.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .toList();
    }

    void started(Instant now, Collection<RelayUrl> known) {
        known.forEach(relay -> rate.pardon(now, relay));
    }

    void lost(Instant now, RelayUrl relay, HomeLink link) {
        if (isHealthy(now, link)) {
            rate.pardon(now, relay);
        }
    }

    private boolean isHealthy(Instant now, HomeLink link) {
        return !link.openedAt.isAfter(now.minus(settings.backoff().healthyAfter()));
    }

    void before(Instant now, SyncAction action, Map<RelayUrl, HomeLink> links) {
        this.now = now;
        switch (action) {
            case SyncAction.Connect(RelayUrl relay) -> {
                require(!settings.relays().own().contains(relay), "dials itself: " + relay);
                require(!links.containsKey(relay), "connects twice to " + relay);
                require(rate.contact(now, relay), "contacts " + relay + " more often than backoff allows");
            }
            case SyncAction.Subscribe(var relay, var subscription, var page, var purpose) -> {
                require(isOpen(links, relay), "subscribes at a relay that is not open: " + relay);
                require(!page.cursors().isEmpty(), "asks for nothing at " + relay);
            }
            case SyncAction.Reconcile reconcile -> {
                require(isOpen(links, reconcile.relay()), "compares with a relay that is not open");
                require(settings.comparing() != SyncSettings.Comparing.NEVER, "compares though it is told not to");
            }
            case SyncAction.Authenticate(RelayUrl relay) ->
                require(isOpen(links, relay), "authenticates at a relay that is not open: " + relay);
            case SyncAction.Remember(RelayUrl relay, RelayRecord record) -> checkRecord(now, relay, record);
            case SyncAction.Forget(RelayUrl relay) -> rate.pardon(now, relay);
            case SyncAction.Disconnect(RelayUrl relay, String why) -> {
                HomeLink link = links.get(relay);
                if (link != null && isHealthy(now, link)) {
                    rate.pardonOnceADay(now, relay);
                }
            }
            case SyncAction.Unsubscribe unsubscribe -> {}
            case SyncAction.Report report -> {}
        }
    }

    private static boolean isOpen(Map<RelayUrl, HomeLink> links, RelayUrl relay) {
        HomeLink link = links.get(relay);
        return link != null && link.isOpen();
    }

    void after(
            Instant now, SyncEngine engine, SyncInput input, List<SyncAction> actions, Map<RelayUrl, HomeLink> links) {
        if (++steps > MOST_STEPS) {
            throw new IllegalStateException("never comes to rest");
        }
        this.now = now;
        require(actions.size() <= MOST_ACTIONS, "too many actions in one step");
        checkTicks(input, actions);
        if (input instanceof SyncInput.Closed closed) {
            checkRefusals(closed);
            require(
                    !Refusals.CLOSED_DOORS.contains(closed.message())
                            || actions.stream().noneMatch(Watch::isLearned),
                    () -> "asks for less because of " + closed.message());
        }
        if (input instanceof SyncInput.RetryNow(Instant at, RelayUrl relay)) {
            rate.pardon(at, relay);
        }
        require(
                links.size()
                        <= settings.places().all()
                                + settings.relays().bootstrap().size(),
                "connects to more relays than there are places");
        checkBudgets(engine, actions, links);
        links.forEach((relay, link) -> checkReadings(now, relay, link));
        EngineProbe.checkInvariants(engine);
        if (steps % STEPS_BETWEEN_LOOKS == 0) {
            EngineProbe.checkView(engine, now);
        }
    }

    /**
     * Rule 7: who refuses is not asked again and again; where the rate or a new connection is
     * the reason, all that was open comes back at once.
     */
    private void checkRefusals(SyncInput.Closed closed) {
        boolean ofRate =
                closed.message().startsWith("rate-limited") || closed.message().startsWith("auth-required");
        Map<RelayUrl, Deque<Instant>> counted = ofRate ? rateLimits : refusals;
        Deque<Instant> recent = ContactRate.recent(counted, now, closed.relay());
        recent.add(now);
        require(
                recent.size() < (ofRate ? RATE_LIMITS_IN_AN_HOUR : REFUSALS_IN_AN_HOUR),
                "does not take no for an answer: " + closed.relay() + " " + closed.message());
    }

    private static boolean isLearned(SyncAction action) {
        return action instanceof SyncAction.Report report && report.finding() instanceof Finding.Learned;
    }

    /** A tick may find that nothing is to be done; many of them in a row mean a loop. */
    private void checkTicks(SyncInput input, List<SyncAction> actions) {
        if (!(input instanceof SyncInput.Tick)) {
            return;
        }
        boolean spins = actions.isEmpty() && lastTick.isAfter(now.minusSeconds(1));
        idleTicks = spins ? idleTicks + 1 : 0;
        lastTick = now;
        require(idleTicks < MOST_IDLE_TICKS, "asks for ticks and does nothing");
    }

    private void checkBudgets(SyncEngine engine, List<SyncAction> actions, Map<RelayUrl, HomeLink> links) {
        Set<RelayUrl> asked = new LinkedHashSet<>();
        actions.forEach(action -> {
            if (action instanceof SyncAction.Subscribe) {
                asked.add(action.relay());
            }
        });
        for (RelayUrl relay : asked) {
            HomeLink link = links.get(relay);
            int open = link == null ? 0 : link.readings.size() + link.comparisons.size();
            int most = EngineProbe.budget(engine, relay)
                    .map(RelayBudget::subscriptions)
                    .orElse(Integer.MAX_VALUE);
            require(open <= most, "more than " + most + " subscriptions at " + relay);
        }
    }

    /** Rule 6: no batch without an end. */
    private void checkReadings(Instant now, RelayUrl relay, HomeLink link) {
        Instant silentSince = now.minus(settings.waits().idleAfter().multipliedBy(2));
        link.readings.forEach((subscription, reading) -> {
            if (reading.purpose != Purpose.LIVE) {
                require(
                        reading.ended || reading.lastSign.isAfter(silentSince),
                        "waits for ever for a page at " + relay);
                require(
                        reading.ended || reading.openedAt.isAfter(now.minus(LONGEST_PAGE)),
                        "keeps a page open that never ends at " + relay);
                require(
                        !reading.ended || reading.lastSign.isAfter(now.minus(LEFT_OPEN)),
                        "leaves an ended page open at " + relay);
            }
        });
    }

    /** Rule 25: what is remembered must make sense after a restart. */
    private void checkRecord(Instant now, RelayUrl relay, RelayRecord record) {
        require(record.relay().equals(relay), () -> "remembers " + record + " as " + relay);
        require(record.failures() >= 0, () -> "negative failures: " + record);
        require(isNotAfter(record.failingSince(), now), () -> "fails since a time to come: " + record);
        require(isNotAfter(record.lastConnected(), now), () -> "connected at a time to come: " + record);
        Duration longest = max(settings.backoff().deadRetry(), settings.waits().finalRetry())
                .multipliedBy(2);
        require(isNotAfter(record.nextAttempt(), now.plus(longest)), () -> "next attempt too late: " + record);
        require(
                isNotAfter(record.freshSyncDue(), now.plus(settings.freshSync().max())),
                () -> "fresh sync due too late: " + record);
        RelayRecord.Reliability counted = record.reliability();
        require(
                counted.attempts() >= counted.failures()
                        && counted.failures() >= 0
                        && !counted.up().isNegative()
                        && !counted.down().isNegative(),
                () -> "reliability makes no sense: " + counted);
    }

    private static boolean isNotAfter(Optional<Instant> time, Instant limit) {
        return time.isEmpty() || !time.get().isAfter(limit);
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void require(boolean holds, String otherwise) {
        require(holds, () -> otherwise);
    }

    private void require(boolean holds, Supplier<String> otherwise) {
        if (!holds && broken.size() < MOST_BROKEN) {
            broken.putIfAbsent(otherwise.get(), now);
        }
    }
}
