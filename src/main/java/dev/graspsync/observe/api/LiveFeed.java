package dev.graspsync.observe.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What changes, for any number of listeners: it is looked at and written as JSON once a second for all of them, and each
 * gets what changed since it was last told.
 */
@ApplicationScoped
class LiveFeed {

    private static final Duration FRESH = Duration.ofMillis(900);

    /** One event of the stream. */
    record Told(String name, String json) {}

    private record Row(RelayRow row, String json) {}

    private record Look(long nanos, Status status, String statusJson, Map<String, Row> relays) {}

    private final Supplier<Status> status;
    private final Supplier<List<RelayRow>> relays;
    private final ObjectMapper json;
    private final LongSupplier nanos;
    private @Nullable Look last;

    @Inject
    LiveFeed(StatusReader status, RelayReader relays, ObjectMapper json) {
        this(status::read, relays::rows, json, System::nanoTime);
    }

    /** @param nanos a clock that never leaps */
    LiveFeed(Supplier<Status> status, Supplier<List<RelayRow>> relays, ObjectMapper json, LongSupplier nanos) {
        this.status = status;
        this.relays = relays;
        this.json = json;
        this.nanos = nanos;
    }

    Listener listen() {
        return new Listener();
    }

    private synchronized Look look() {
        Look before = last;
        if (before != null && nanos.getAsLong() - before.nanos() < FRESH.toNanos()) {
            return before;
        }
        Map<String, Row> known = before == null ? Map.of() : before.relays();
        Map<String, Row> rows = new HashMap<>();
        for (RelayRow row : relays.get()) {
            Row same = known.get(row.url());
            rows.put(row.url(), same != null && same.row().equals(row) ? same : new Row(row, write(row)));
        }
        Status now = status.get();
        Look look = new Look(nanos.getAsLong(), now, write(now), rows);
        last = look;
        return look;
    }

    private String write(Object value) {
        try {
            return json.writeValueAsString(value);
        } catch (JsonProcessingException bug) {
            throw new IllegalStateException(bug);
        }
    }

    /** What one listener has been told. For one thread at a time. */
    final class Listener {

        private static final Duration AT_LEAST_EVERY = Duration.ofSeconds(15);

        private @Nullable Look told;
        private long statusNanos;

        List<Told> next() {
            Look now = look();
            Look before = told;
            List<Told> news = new ArrayList<>(2);
            if (before == null
                    || !now.status().isAs(before.status())
                    || now.nanos() - statusNanos >= AT_LEAST_EVERY.toNanos()) {
                news.add(new Told("status", now.statusJson()));
                statusNanos = now.nanos();
            }
            List<String> changed = new ArrayList<>();
            now.relays().forEach((url, row) -> {
                Row same = before == null ? null : before.relays().get(url);
                if (!Objects.equals(row, same)) {
                    changed.add(row.json());
                }
            });
            List<String> gone =
                    new ArrayList<>(before == null ? List.of() : before.relays().keySet());
            gone.removeAll(now.relays().keySet());
            if (!changed.isEmpty() || !gone.isEmpty()) {
                String rows = String.join(",", changed);
                news.add(new Told("relays", "{\"relays\":[" + rows + "],\"gone\":" + write(gone) + "}"));
            }
            told = now;
            return news;
        }
    }
}
