package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.RelayBudget;
import dev.graspsync.sync.core.RelayRecord;
import dev.graspsync.sync.core.RelayRecord.Coverage;
import dev.graspsync.sync.core.RelayRecord.Reliability;
import dev.graspsync.sync.core.RelayRecord.Synced;
import dev.graspsync.sync.core.RepoDigests;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A relay's record to and from the named values of the ledger. What is missing or garbled there reads as if it had never
 * been known, so that an older or newer version's ledger is still worth something.
 */
final class RelayRecords {

    private final RelayBudget initial;

    /** @param initial what is assumed of a relay's budget where the ledger does not say */
    RelayRecords(RelayBudget initial) {
        this.initial = initial;
    }

    static Map<String, String> write(RelayRecord record) {
        Map<String, String> values = new TreeMap<>();
        values.put("failures", String.valueOf(record.failures()));
        record.failingSince().ifPresent(at -> values.put("failing-since", at.toString()));
        record.nextAttempt().ifPresent(at -> values.put("next-attempt", at.toString()));
        record.freshSyncDue().ifPresent(at -> values.put("fresh-sync-due", at.toString()));
        record.lastConnected().ifPresent(at -> values.put("last-connected", at.toString()));
        RelayBudget budget = record.budget();
        values.put("budget.subscriptions", String.valueOf(budget.subscriptions()));
        values.put("budget.filters", String.valueOf(budget.filters()));
        values.put("budget.values", String.valueOf(budget.values()));
        values.put("budget.bytes", String.valueOf(budget.bytes()));
        values.put("budget.kinds-needed", String.valueOf(budget.kindsNeeded()));
        values.put("budget.kinds", String.valueOf(budget.kinds()));
        values.put("budget.limit", String.valueOf(budget.limit()));
        Reliability reliability = record.reliability();
        values.put("reliability.attempts", String.valueOf(reliability.attempts()));
        values.put("reliability.failures", String.valueOf(reliability.failures()));
        values.put("reliability.up", reliability.up().toString());
        values.put("reliability.down", reliability.down().toString());
        values.put("coverage.items", String.valueOf(record.coverage().items()));
        values.put("coverage.confirmed", String.valueOf(record.coverage().confirmed()));
        record.negentropyRetryAt().ifPresent(at -> values.put("negentropy-retry-at", at.toString()));
        record.synced().ifPresent(synced -> {
            values.put("synced.up-to", synced.upTo().toString());
            values.put("synced.announcements", String.valueOf(synced.announcements()));
            values.put("synced.repositories", synced.repos().write());
        });
        return values;
    }

    RelayRecord read(RelayUrl relay, Map<String, String> values) {
        return new RelayRecord(
                relay,
                (int) number(values, "failures", Integer.MAX_VALUE).orElse(0L).longValue(),
                instant(values, "failing-since"),
                instant(values, "next-attempt"),
                instant(values, "fresh-sync-due"),
                instant(values, "last-connected"),
                budget(values),
                new Reliability(
                        number(values, "reliability.attempts", Long.MAX_VALUE).orElse(0L),
                        number(values, "reliability.failures", Long.MAX_VALUE).orElse(0L),
                        duration(values, "reliability.up"),
                        duration(values, "reliability.down")),
                new Coverage(
                        number(values, "coverage.items", Long.MAX_VALUE).orElse(0L),
                        number(values, "coverage.confirmed", Long.MAX_VALUE).orElse(0L)),
                instant(values, "negentropy-retry-at"),
                synced(values));
    }

    /** Where a part of it is missing or garbled, nothing counts as synced. */
    private static Optional<Synced> synced(Map<String, String> values) {
        Optional<RepoDigests> repos =
                Optional.ofNullable(values.get("synced.repositories")).flatMap(RepoDigests::read);
        boolean announcements = Boolean.parseBoolean(values.get("synced.announcements"));
        return instant(values, "synced.up-to")
                .flatMap(upTo -> repos.map(digests -> new Synced(upTo, announcements, digests)));
    }

    /** Where the numbers leave no room to ask anything, none of them is believed. */
    private RelayBudget budget(Map<String, String> values) {
        try {
            return new RelayBudget(
                    part(values, "budget.subscriptions", initial.subscriptions()),
                    part(values, "budget.filters", initial.filters()),
                    part(values, "budget.values", initial.values()),
                    part(values, "budget.bytes", initial.bytes()),
                    Boolean.parseBoolean(
                            values.getOrDefault("budget.kinds-needed", String.valueOf(initial.kindsNeeded()))),
                    part(values, "budget.kinds", initial.kinds()),
                    part(values, "budget.limit", initial.limit()));
        } catch (IllegalArgumentException senseless) {
            return initial;
        }
    }

    private static int part(Map<String, String> values, String name, int otherwise) {
        return (int)
                number(values, name, Integer.MAX_VALUE).orElse((long) otherwise).longValue();
    }

    private static Optional<Long> number(Map<String, String> values, String name, long most) {
        return value(values, name, Long::parseLong).filter(number -> number >= 0 && number <= most);
    }

    private static Optional<Instant> instant(Map<String, String> values, String name) {
        return value(values, name, Instant::parse);
    }

    private static Duration duration(Map<String, String> values, String name) {
        return value(values, name, Duration::parse)
                .filter(length -> !length.isNegative())
                .orElse(Duration.ZERO);
    }

    private static <T> Optional<T> value(Map<String, String> values, String name, Function<String, T> parser) {
        try {
            return Optional.ofNullable(values.get(name)).map(parser);
        } catch (NumberFormatException | DateTimeParseException garbled) {
            return Optional.empty();
        }
    }
}
